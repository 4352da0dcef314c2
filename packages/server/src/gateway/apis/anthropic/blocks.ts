import { createError } from "../../../platform/core/errors/index.ts";
import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { UnsuitableBackendError } from "../../upstream-errors.ts";

const DATA_ADDRESS = /^data:([^;,]+)(?:;[^,]*)?;base64,/;

/** Returns the blocks for the content of a message: a text or parts. Empty texts, which the API refuses, are left out. */
export function toUserBlocks(content: unknown): Fields[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
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
      return part.text === "" ? [] : [omitNullish({ type, text: part.text, cache_control })];
    case "image_url":
      return [omitNullish({ type: "image", source: toSource(toRecord(part.image_url).url), cache_control })];
    case "file": {
      const { filename, file_data: address } = toRecord(part.file);
      return [omitNullish({ type: "document", source: toSource(address), title: filename, cache_control })];
    }
    default:
      throw unsuitableMedia(String(type));
  }
}

function toSource(address: unknown): Fields {
  const text = String(address);
  const data = DATA_ADDRESS.exec(text);
  if (data === null) return { type: "url", url: text };
  return { type: "base64", media_type: data[1], data: text.slice(data[0].length) };
}

function unsuitableMedia(type: string): UnsuitableBackendError {
  const medium = type.startsWith("video") ? "videos" : "sound";
  const refusal = createError("unsupported_modality", `What runs this model takes no ${medium}.`, {
    param: "messages",
  });
  return new UnsuitableBackendError(refusal, { isLasting: false });
}
