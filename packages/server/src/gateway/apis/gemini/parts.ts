import { type Fields, toRecord } from "../../formats/fields.ts";
import { readDataAddress } from "../data-address.ts";
import { unsuitableMedia } from "../unsuitable.ts";

/** Returns the parts for the content of a message: a text or parts. Empty texts are left out. */
export function toParts(content: unknown): Fields[] {
  if (typeof content === "string") return content === "" ? [] : [{ text: content }];
  return Array.isArray(content) ? content.flatMap((part) => toPart(toRecord(part))) : [];
}

function toPart(part: Fields): Fields[] {
  const { type } = part;
  if (type === "text") return part.text === "" ? [] : [{ text: part.text }];
  if (type === "input_audio") {
    const { data, format } = toRecord(part.input_audio);
    return [{ inlineData: { mimeType: `audio/${String(format)}`, data } }];
  }
  const field = toRecord(part[String(type)]);
  const media = readDataAddress(type === "file" ? field.file_data : field.url);
  if (media === null) throw unsuitableMedia("media by address. Send their content as a data: address");
  return [{ inlineData: { mimeType: media.mediaType, data: media.data } }];
}
