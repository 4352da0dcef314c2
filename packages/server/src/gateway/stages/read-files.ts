import { errors } from "../../platform/core/errors/index.ts";
import { readDataAddress } from "../apis/data-address.ts";
import type { Call } from "../call.ts";
import type { Fields } from "../formats/fields.ts";
import type { CallableModel } from "../ports.ts";
import { isRecord } from "../usage/reported-usage.ts";

/** Reads the text of a document in a process of its own, within limits. Throws an error with a message for the caller. */
export type ReadFile = (input: {
  file: File;
  userId: string;
  signal: AbortSignal;
}) => Promise<{ text: string; cut_at: string | null }>;

/** Each is read in a process of its own, one after the other, and the call waits for them. */
const MAX_FILES = 8;
/** What would end the quotation of a name, and characters that cannot be seen. */
const NOT_IN_NAMES = /["<>\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const MAX_NAME_LENGTH = 200;
/** Ends a text of which the rest was not read. It is for the model, which is told in English. */
const CUT_MARK = "[The document was cut here.]";

/**
 * Returns a call in whose messages each file that was sent as a data URL is its text, with its name, for a model that takes no files. Calls
 * of models that take files, and files of other addresses, stay as they are. Throws the errors of `readFile`.
 */
export async function readFiles(call: Call, model: CallableModel, readFile: ReadFile): Promise<Call> {
  const { messages } = call.body;
  if (model.inputModalities.includes("file") || !Array.isArray(messages)) return call;
  const parts: unknown[] = messages.flatMap(listParts).filter((part) => addressOf(part) !== null);
  if (parts.length === 0) return call;
  if (parts.length > MAX_FILES)
    throw errors.invalidRequest(`At most ${MAX_FILES} files of a call are read for a model that takes none.`, {
      param: "messages",
      details: { max: MAX_FILES, got: parts.length },
    });
  const texts = new Map<unknown, Fields>();
  // One after the other, since one document of a person is read at a time.
  for (const part of parts) texts.set(part, await readPart(part, call, readFile));
  const readable = messages.map((message) =>
    isRecord(message) && Array.isArray(message.content)
      ? { ...message, content: message.content.map((part: unknown) => texts.get(part) ?? part) }
      : message,
  );
  // What is unpacked may be longer than what was sent, and lengths are estimated from the bytes.
  const bytes = [...texts.values()].reduce((sum, { text }) => sum + Buffer.byteLength(String(text)), 0);
  const exchange = { ...call.exchange, bodyBytes: call.exchange.bodyBytes + bytes };
  return { ...call, exchange, body: { ...call.body, messages: readable } };
}

const listParts = (message: unknown): unknown[] =>
  isRecord(message) && Array.isArray(message.content) ? message.content : [];

/** Returns the data URL of a part with a file; null for any other part. */
function addressOf(part: unknown): string | null {
  if (!isRecord(part) || part.type !== "file" || !isRecord(part.file)) return null;
  const { file_data: address } = part.file;
  return typeof address === "string" && readDataAddress(address) !== null ? address : null;
}

/** Returns whose turn a file takes. Callers of a deployment have no account, so each deployment has a turn of its own. */
const turnOf = ({ credential, userId }: Call["actor"]): string =>
  credential.type === "deployment" ? credential.id : userId;

async function readPart(part: unknown, { actor, signal }: Call, readFile: ReadFile): Promise<Fields> {
  const { filename } = isRecord(part) && isRecord(part.file) ? part.file : {};
  const name = toName(filename);
  const { mediaType: type = "", data = "" } = readDataAddress(addressOf(part)) ?? {};
  const file = new File([Buffer.from(data, "base64")], name, { type });
  const { text, cut_at } = await readFile({ file, userId: turnOf(actor), signal });
  const whole = cut_at === null ? text : `${text}\n\n${CUT_MARK}`;
  return { type: "text", text: `<file name="${name}">\n${whole}\n</file>` };
}

function toName(filename: unknown): string {
  const name = typeof filename === "string" ? filename.toWellFormed().replace(NOT_IN_NAMES, "_") : "";
  return name.slice(0, MAX_NAME_LENGTH).trim() || "file";
}
