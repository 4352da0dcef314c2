import { basename } from "node:path";
import type { DocumentText } from "@feather/sdk";
import { DOCUMENT_TIMEOUT_MS, MAX_FILE_BYTES, readBytes } from "../../chat/document-files.ts";
import type { Context } from "../../context.ts";

/** A PDF may hold nothing but characters of texts. */
const PDF_MARK = "%PDF-";

/** Has the server read the text of a document. */
export type ReadDocument = (bytes: Buffer<ArrayBuffer>, name: string) => Promise<DocumentText>;

/** Creates what has documents read by the server, which is asked only when there is one. */
export const createDocumentReader =
  ({ signedInClient, signal }: Pick<Context, "signedInClient" | "signal">): ReadDocument =>
  async (bytes, name) => {
    const client = await signedInClient();
    return client.documents.read({ file: new File([bytes], name) }, { signal, timeout: DOCUMENT_TIMEOUT_MS });
  };

/** A text that goes with a prompt: as it is written there, and alone, with whether lines begin its pages. */
export type FilePart = {
  readonly name: string;
  readonly text: string;
  readonly hasPages: boolean;
  /** The text with its name, in a code fence; a text on stdin as it is. */
  readonly part: string;
};

/**
 * Returns a file as part of a prompt: its name, then its text in a code fence. Texts are read here, and other documents by the
 * server. A document that was cut is named with what is left of it.
 */
export async function readFilePart(path: string, readDocument: ReadDocument): Promise<FilePart> {
  const bytes = await readBytes(path, MAX_FILE_BYTES);
  const name = basename(path);
  const text = decodeText(bytes);
  return text === null
    ? toDocumentPart(await readDocument(bytes, name))
    : { name, text, hasPages: false, part: toFencedPart(name, text) };
}

/** Returns what came on stdin: the text itself, or a document as part of a prompt. */
export async function readPipedPart(bytes: Buffer<ArrayBuffer>, readDocument: ReadDocument): Promise<FilePart> {
  const text = decodeText(bytes);
  return text === null
    ? toDocumentPart(await readDocument(bytes, "stdin"))
    : { name: "stdin", text, hasPages: false, part: text.trimEnd() };
}

function toDocumentPart(document: DocumentText): FilePart {
  const { name, text, pages } = document;
  return { name, text, hasPages: pages !== null, part: toFencedPart(describeDocument(document), text) };
}

/** Returns the text of bytes in UTF-8; null for other content. */
function decodeText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.startsWith(PDF_MARK) || text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/** Returns the name of a document, and how much of it was read if it was cut. */
function describeDocument({ name, pages, pages_read: read, cut_at }: DocumentText): string {
  if (cut_at === null) return name;
  return pages === null ? `${name} (cut)` : `${name} (${read} of ${pages} pages, cut)`;
}

function toFencedPart(name: string, text: string): string {
  const runs = [...text.matchAll(/^`{3,}/gm)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${name}:\n${fence}\n${text.trimEnd()}\n${fence}`;
}

/** Returns texts with the prompt after them. */
export const joinPrompt = (parts: readonly Pick<FilePart, "part">[], prompt: string): string =>
  [...parts.map(({ part }) => part), prompt].filter((part) => part !== "").join("\n\n");
