import type { Fields } from "../../formats/fields.ts";
import { readDataAddress } from "../data-address.ts";
import { unsuitableMedia } from "../unsuitable.ts";

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** The formats that the API has for each kind of media, by media type. */
const FORMATS = {
  pictures: { "image/gif": "gif", "image/jpeg": "jpeg", "image/jpg": "jpeg", "image/png": "png", "image/webp": "webp" },
  documents: {
    "application/msword": "doc",
    "application/pdf": "pdf",
    "application/vnd.ms-excel": "xls",
    [SHEET]: "xlsx",
    [WORD]: "docx",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "md",
    "text/plain": "txt",
  },
  sound: {
    "audio/aac": "aac",
    "audio/flac": "flac",
    "audio/mp4": "mp4",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/webm": "webm",
    "audio/x-wav": "wav",
  },
  videos: {
    "video/3gpp": "three_gp",
    "video/mp4": "mp4",
    "video/mpeg": "mpeg",
    "video/quicktime": "mov",
    "video/webm": "webm",
    "video/x-flv": "flv",
    "video/x-matroska": "mkv",
    "video/x-ms-wmv": "wmv",
  },
} as const satisfies Record<string, Record<string, string>>;

/**
 * Returns the format and the content of media at a `data:` address. Throws an `UnsuitableBackendError` for other addresses and
 * for types that the API does not have.
 */
export function toMedia(address: unknown, kind: keyof typeof FORMATS): Fields {
  const media = readDataAddress(address);
  if (media === null) throw unsuitableMedia("media by address. Send their content as a data: address");
  const formats: Readonly<Record<string, string>> = FORMATS[kind];
  const format = formats[media.mediaType.toLowerCase()];
  if (format === undefined) throw unsuitableMedia(`${kind} of this type`);
  return { format, source: { bytes: media.data } };
}
