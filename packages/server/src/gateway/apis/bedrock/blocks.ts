import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { unsuitableMedia } from "../unsuitable.ts";
import { toMedia } from "./media.ts";

/** What the blocks of one request have in common. */
export type BlockContext = {
  /** Whether the model takes marks of what is cached. Other models refuse the request for them. */
  hasCachePoints: boolean;
  /** The names of the documents so far, in lower case: the API takes no two of the same name. */
  documentNames: Set<string>;
};

/** The longest name of a document, without room for a number. */
const MAX_NAME_CHARACTERS = 190;

/** Returns the blocks for the content of a message: a text or parts. Blank texts, which the API refuses, are left out. */
export function toContentBlocks(content: unknown, context: BlockContext): Fields[] {
  return toParts(content).flatMap((part) => [...toBlock(part, context), ...toCachePoint(part, context)]);
}

/** Returns the block with the result of a tool, whose own blocks take no marks. */
export function toToolResult({ tool_call_id: id, content, ...message }: Fields, context: BlockContext): Fields[] {
  const isText = typeof content === "string";
  const blocks = isText ? [{ text: content }] : toParts(content).flatMap((part) => toBlock(part, context));
  const marked = [message, ...(isText ? [] : toParts(content))].find(({ cache_control: mark }) => mark !== undefined);
  return [{ toolResult: { toolUseId: toToolUseId(id), content: blocks } }, ...toCachePoint(marked ?? {}, context)];
}

/** Returns the mark behind what is to be cached, in a list; empty without one, and for models that take none. */
export function toCachePoint({ cache_control: mark }: Fields, { hasCachePoints }: BlockContext): Fields[] {
  if (mark === undefined || !hasCachePoints) return [];
  return [{ cachePoint: omitNullish({ type: "default", ttl: toRecord(mark).ttl }) }];
}

/** Returns the id of a call as the API takes it: of letters, digits, `_` and `-`, and at most 64 characters long. */
export function toToolUseId(id: unknown): string {
  return String(id)
    .replaceAll(/[^\w-]/g, "_")
    .slice(-64);
}

function toParts(content: unknown): Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(toRecord).filter((part) => !isBlank(part)) : [];
}

function isBlank({ type, text }: Fields): boolean {
  return type === "text" && String(text ?? "").trim() === "";
}

function toBlock(part: Fields, context: BlockContext): Fields[] {
  const { type } = part;
  const { url } = toRecord(part[String(type)]);
  switch (type) {
    case "text":
      return isBlank(part) ? [] : [{ text: part.text }];
    case "image_url":
      return [{ image: toMedia(url, "pictures") }];
    case "video_url":
      return [{ video: toMedia(url, "videos") }];
    case "audio_url":
      return [{ audio: toMedia(url, "sound") }];
    case "input_audio": {
      const { data, format } = toRecord(part.input_audio);
      return [{ audio: { format, source: { bytes: data } } }];
    }
    case "file": {
      const { filename, file_data: address } = toRecord(part.file);
      return [{ document: { ...toMedia(address, "documents"), name: toDocumentName(filename, context) } }];
    }
    default:
      throw unsuitableMedia("such parts");
  }
}

/** Returns a name with only the characters that the API takes, and with a number if another document has the name. */
function toDocumentName(given: unknown, { documentNames }: BlockContext): string {
  const plain = String(given ?? "")
    .replaceAll(/[^A-Za-z0-9()[\]]+/g, "-")
    .slice(0, MAX_NAME_CHARACTERS);
  const base = plain === "" ? "document" : plain;
  let name = base;
  for (let number = 2; documentNames.has(name.toLowerCase()); number += 1) name = `${base} (${number})`;
  documentNames.add(name.toLowerCase());
  return name;
}
