import type { DocumentText } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { formatDecimal } from "#/lib/format.ts";
import type { Attachment } from "./types.ts";

/** MIME types of images that can be attached. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MAX_FILES = 8;
/** Maximum size of an image that is sent, in bytes; larger ones are made smaller. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
/** Maximum size of an image that is chosen, in bytes. */
export const MAX_CHOSEN_IMAGE_BYTES = 40 * 1024 * 1024;
/** Maximum size of a text that is read in the browser, in bytes; the server reads longer ones. */
export const MAX_TEXT_BYTES = 256 * 1024;

/** Maximum size of an attached document, in bytes; the server may take less. */
export const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024;

/** The attachment limits, as shown next to the button. */
export const ATTACHMENT_LIMITS_TEXT = t`At most 8 files: images (PNG, JPEG, WebP of 40 MB, GIF of 4 MB); PDF, DOCX, XLSX and texts of 20 MB.`;
/** The limits where the model takes no images. */
export const DOCUMENT_LIMITS_TEXT = t`At most 8 files: PDF, DOCX, XLSX and texts of 20 MB; this model does not take images.`;

/** Has the server read the text of a document. Throws its error with a message for people. */
export type ReadDocument = (file: File, signal: AbortSignal) => Promise<DocumentText>;

type ReadFileOptions = {
  id: string;
  acceptsImages: boolean;
  /** How many files go with the message already. */
  attachedCount: number;
  readDocument: ReadDocument;
  /** Returns an image turned upright, without metadata, and no larger than the given number of bytes. */
  preparePicture(file: File, maxBytes: number): Promise<Blob>;
  signal: AbortSignal;
};

/** What was read of a file, or why it cannot go with the message. `note` says that only a part was read. */
export type ReadFileResult = { attachment: Attachment; note: string | null } | { problem: string };

/** Reads a file as an attachment. Short texts are read here, and other documents by the server. */
export async function readFile(file: File, options: ReadFileOptions): Promise<ReadFileResult> {
  if (options.attachedCount >= MAX_FILES) return { problem: t`At most ${MAX_FILES} files go with a message.` };
  if (file.type.startsWith("image/")) return readImage(file, options);
  const { id } = options;
  const { name, size } = file;
  if (size > MAX_DOCUMENT_BYTES) return { problem: t`Files may have at most 20 MB.` };
  const text = size > MAX_TEXT_BYTES ? null : decodeText(await file.arrayBuffer());
  if (text !== null)
    return { attachment: { id, kind: "text", name, type: "text/plain", size, data: text }, note: null };
  return readByServer(file, options);
}

async function readImage(file: File, { id, acceptsImages, preparePicture }: ReadFileOptions): Promise<ReadFileResult> {
  const { name } = file;
  if (!acceptsImages) return { problem: t`This model does not take images.` };
  if (!IMAGE_TYPES.includes(file.type)) return { problem: t`Images are taken as PNG, JPEG, WebP or GIF.` };
  if (file.size > MAX_CHOSEN_IMAGE_BYTES) return { problem: t`Images may have at most 40 MB.` };
  // Drawn anew, a GIF would stand still.
  const isMoving = file.type === "image/gif";
  if (isMoving && file.size > MAX_IMAGE_BYTES) return { problem: t`GIFs may have at most 4 MB.` };
  const image = isMoving ? file : await preparePicture(file, MAX_IMAGE_BYTES).catch(() => null);
  if (image === null) return { problem: t`The browser cannot read this image.` };
  const { type, size } = image;
  return { attachment: { id, kind: "image", name, type, size, data: await toDataUrl(image) }, note: null };
}

async function readByServer(file: File, { id, readDocument, signal }: ReadFileOptions): Promise<ReadFileResult> {
  const { name, size } = file;
  try {
    const { type, text, pages, pages_read: read, cut_at } = await readDocument(file, signal);
    const data = cut_at === null ? text : `${text}\n\n${CUT_MARK}`;
    const note =
      cut_at === null
        ? null
        : pages !== null && read !== null && read !== pages
          ? t`Only ${read} of ${pages} pages were read.`
          : t`It is too long, so only its beginning was read.`;
    return { attachment: { id, kind: "text", name, type, size, pages, data }, note };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Ends a text of which the rest is not sent. It is for the model, which is told in English. */
const CUT_MARK = "[The document was cut here.]";

/**
 * Cuts the longest texts so that all attachments take about `maxTokens` together. Images are left as they are. `estimate` returns
 * the tokens of an attachment.
 */
export function cutToFit(
  attachments: readonly Attachment[],
  maxTokens: number,
  estimate: (attachment: Attachment) => number,
): readonly Attachment[] {
  const tokens = attachments.map(estimate);
  const isText = attachments.map(({ kind }) => kind === "text");
  const total = (cap: number) =>
    tokens.reduce((sum, one, index) => sum + (isText[index] ? Math.min(one, cap) : one), 0);
  let [low, high] = [0, Math.max(0, ...tokens)];
  if (total(high) <= maxTokens) return attachments;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (total(middle) > maxTokens) high = middle;
    else low = middle;
  }
  return attachments.map((attachment, index) => {
    const own = tokens[index] ?? 0;
    if (attachment.kind !== "text" || own <= low) return attachment;
    const { data } = attachment;
    const kept = data.slice(0, Math.max(0, Math.floor((data.length * low) / own) - CUT_MARK.length - 2)).toWellFormed();
    return { ...attachment, data: `${kept}\n\n${CUT_MARK}` };
  });
}

async function toDataUrl(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return `data:${file.type};base64,${btoa(binary)}`;
}

/** Decodes UTF-8; null for invalid or binary data, and for a PDF, which may hold nothing but characters of texts. */
function decodeText(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\u0000") || text.startsWith("%PDF-") ? null : text;
  } catch {
    return null;
  }
}

/** Formats bytes, such as `4.2 MB`, `12 kB` or `90 bytes`. */
export function formatFileSize(bytes: number): string {
  if (bytes >= 1024 * 1024) return t`${formatDecimal(bytes / (1024 * 1024))} MB`;
  return bytes >= 1024 ? t`${Math.round(bytes / 1024)} kB` : plural(bytes, { one: "# byte", other: "# bytes" });
}
