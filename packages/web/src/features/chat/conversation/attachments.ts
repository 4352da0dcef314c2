import { plural, t } from "@lingui/core/macro";
import { formatDecimal } from "#/lib/format.ts";
import type { Attachment } from "./types.ts";

/** MIME types of images that can be attached. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MAX_FILES = 8;
/** Maximum size of an attached image, in bytes. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
/** Maximum size of an attached text file, in bytes. */
export const MAX_TEXT_BYTES = 256 * 1024;

/** The attachment limits, as shown next to the button. */
export const ATTACHMENT_LIMITS_TEXT = t`At most 8 files: images (PNG, JPEG, WebP, GIF) of 4 MB, texts of 256 kB.`;

type ReadFilesResult = { attachments: Attachment[]; rejections: string[] };
type ReadFilesOptions = { acceptsImages: boolean; attachedCount: number; newId(): string };

/** Reads files as attachments. Returns a message for each file that is rejected. */
export async function readFiles(
  files: readonly File[],
  { acceptsImages, attachedCount, newId }: ReadFilesOptions,
): Promise<ReadFilesResult> {
  const result: ReadFilesResult = { attachments: [], rejections: [] };
  for (const file of files) {
    if (attachedCount + result.attachments.length >= MAX_FILES) {
      result.rejections.push(t`${file.name}: at most ${MAX_FILES} files go with a message.`);
      continue;
    }
    const attachmentOrReason = await readFile(file, acceptsImages, newId);
    if (typeof attachmentOrReason === "string") result.rejections.push(`${file.name}: ${attachmentOrReason}`);
    else result.attachments.push(attachmentOrReason);
  }
  return result;
}

async function readFile(file: File, acceptsImages: boolean, newId: () => string): Promise<Attachment | string> {
  const { name, size } = file;
  if (file.type.startsWith("image/")) {
    if (!acceptsImages) return t`this model does not take images.`;
    if (!IMAGE_TYPES.includes(file.type)) return t`images are taken as PNG, JPEG, WebP or GIF.`;
    if (size > MAX_IMAGE_BYTES) return t`images may have at most 4 MB.`;
    return { id: newId(), kind: "image", name, type: file.type, size, data: await toDataUrl(file) };
  }
  if (size > MAX_TEXT_BYTES) return t`texts may have at most 256 kB.`;
  const text = decodeUtf8(await file.arrayBuffer());
  if (text === null) return t`this is not a text.`;
  return { id: newId(), kind: "text", name, type: "text/plain", size, data: text };
}

async function toDataUrl(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return `data:${file.type};base64,${btoa(binary)}`;
}

/** Decodes UTF-8; null for invalid or binary data. */
function decodeUtf8(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\u0000") ? null : text;
  } catch {
    return null;
  }
}

/** Formats bytes, such as `4.2 MB`, `12 kB` or `90 bytes`. */
export function formatFileSize(bytes: number): string {
  if (bytes >= 1024 * 1024) return t`${formatDecimal(bytes / (1024 * 1024))} MB`;
  return bytes >= 1024 ? t`${Math.round(bytes / 1024)} kB` : plural(bytes, { one: "# byte", other: "# bytes" });
}
