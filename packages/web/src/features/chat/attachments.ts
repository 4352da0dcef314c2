import { plural, t } from "@lingui/core/macro";
import { decimal } from "#/lib/format.ts";
import type { Attachment } from "./types.ts";

/** MIME types of images that can be attached. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MOST_FILES = 8;
/** Maximum size of an attached image, in bytes. */
export const MOST_IMAGE_BYTES = 4 * 1024 * 1024;
/** Maximum size of an attached text file, in bytes. */
export const MOST_TEXT_BYTES = 256 * 1024;

/** The attachment limits as shown beside the button. */
export const LIMITS = t`At most 8 files: images (PNG, JPEG, WebP, GIF) of 4 MB, texts of 256 kB.`;

type Taken = { attachments: Attachment[]; refused: string[] };
type Rules = { images: boolean; already: number; newId(): string };

/** Reads files as attachments. Returns a message for each file that is rejected. */
export async function readFiles(files: readonly File[], { images, already, newId }: Rules): Promise<Taken> {
  const taken: Taken = { attachments: [], refused: [] };
  for (const file of files) {
    if (already + taken.attachments.length >= MOST_FILES) {
      taken.refused.push(t`${file.name}: at most ${MOST_FILES} files go with a message.`);
      continue;
    }
    const read = await readFile(file, images, newId);
    if (typeof read === "string") taken.refused.push(`${file.name}: ${read}`);
    else taken.attachments.push(read);
  }
  return taken;
}

async function readFile(file: File, images: boolean, newId: () => string): Promise<Attachment | string> {
  const { name, size } = file;
  if (file.type.startsWith("image/")) {
    if (!images) return t`this model does not take images.`;
    if (!IMAGE_TYPES.includes(file.type)) return t`images are taken as PNG, JPEG, WebP or GIF.`;
    if (size > MOST_IMAGE_BYTES) return t`images may have at most 4 MB.`;
    return { id: newId(), kind: "image", name, type: file.type, size, data: await dataUrl(file) };
  }
  if (size > MOST_TEXT_BYTES) return t`texts may have at most 256 kB.`;
  const text = decoded(await file.arrayBuffer());
  if (text === null) return t`this is not a text.`;
  return { id: newId(), kind: "text", name, type: "text/plain", size, data: text };
}

async function dataUrl(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return `data:${file.type};base64,${btoa(binary)}`;
}

/** Decodes UTF-8; null for invalid or binary data. */
function decoded(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\u0000") ? null : text;
  } catch {
    return null;
  }
}

/** Formats bytes, such as `4.2 MB`, `12 kB` or `90 bytes`. */
export function fileSize(bytes: number): string {
  if (bytes >= 1024 * 1024) return t`${decimal(bytes / (1024 * 1024))} MB`;
  return bytes >= 1024 ? t`${Math.round(bytes / 1024)} kB` : plural(bytes, { one: "# byte", other: "# bytes" });
}
