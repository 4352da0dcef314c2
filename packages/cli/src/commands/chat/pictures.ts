import { basename } from "node:path";
import type { Picture } from "../../chat/answer.ts";
import { readBytes } from "../../chat/document-files.ts";
import { UsageError } from "../../errors.ts";

/** Largest picture that can be sent. */
const MAX_PICTURE_BYTES = 10_000_000;

/** Magic bytes of the file types that models accept, with their offset. */
const PICTURE_SIGNATURES: readonly (readonly [type: string, begins: string, at: number])[] = [
  ["image/png", "PNG", 1],
  ["image/jpeg", "\u00ff\u00d8\u00ff", 0],
  ["image/gif", "GIF8", 0],
  ["image/webp", "WEBP", 8],
];

/** Returns a picture to send: a URL unchanged, a file as data URL. Throws `UsageError` when the file is no supported picture. */
export async function loadPicture(source: string): Promise<Picture> {
  if (/^https?:\/\//i.test(source)) return { name: source, url: source };
  const bytes = await readBytes(source, MAX_PICTURE_BYTES);
  const head = bytes.toString("latin1", 0, 16);
  const kind = PICTURE_SIGNATURES.find(([, begins, at]) => head.startsWith(begins, at));
  if (kind === undefined)
    throw new UsageError(`${source} is no picture`, "a PNG, JPEG, GIF or WebP file, or an address");
  return { name: basename(source), url: `data:${kind[0]};base64,${bytes.toString("base64")}` };
}

/** Throws `UsageError` when the model does not accept pictures. */
export function requireImageSupport(model: { readonly id: string; readonly acceptsImages: boolean }): void {
  if (!model.acceptsImages) throw new UsageError(`${model.id} takes no pictures`, "feather models list --takes image");
}
