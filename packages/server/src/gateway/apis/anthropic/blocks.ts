import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { readDataAddress } from "../data-address.ts";
import { unsuitableMedia } from "../unsuitable.ts";

/**
 * Returns the blocks for the content of a message: a text or parts. Texts without a word, which the API
 * refuses, are left out.
 */
export function toUserBlocks(content: unknown): Fields[] {
  if (typeof content === "string") return isBlank(content) ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.flatMap((part) => toBlock(toRecord(part))) : [];
}

/** Returns the content of the result of a tool: a text as it is, parts as blocks. */
export function toResultBlocks(content: unknown): unknown {
  return Array.isArray(content) ? toUserBlocks(content) : content;
}

function toBlock(part: Fields): Fields[] {
  const { type, cache_control } = part;
  switch (type) {
    case "text":
      return isBlank(part.text) ? [] : [omitNullish({ type, text: part.text, cache_control })];
    case "image_url":
      return [omitNullish({ type: "image", source: toSource(toRecord(part.image_url).url), cache_control })];
    case "file": {
      const { filename, file_data: address } = toRecord(part.file);
      return [omitNullish({ type: "document", source: toSource(address), title: filename, cache_control })];
    }
    default:
      throw unsuitableMedia(type === "video_url" ? "videos" : "sound");
  }
}

const isBlank = (text: unknown): boolean => String(text ?? "").trim() === "";

function toSource(address: unknown): Fields {
  const media = readDataAddress(address);
  return media === null
    ? { type: "url", url: address }
    : { type: "base64", media_type: media.mediaType, data: media.data };
}
