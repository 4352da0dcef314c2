import { writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Fetch, GeneratedImage } from "@feather/sdk";

/** A picture that was written: its path and its size in bytes. */
export type WrittenPicture = { path: string; bytes: number };

/** The beginning of files of each format, with one character for each byte. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^.PNG/, "png"],
  [/^\xff\xd8\xff/, "jpg"],
  [/^RIFF.{4}WEBP/s, "webp"],
  [/^GIF8/, "gif"],
];
/** The largest picture that is downloaded, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 60_000;
/** The most names that are tried before a picture is not written. */
const MAX_NAMES = 10_000;

/**
 * Returns the bytes of a picture, which is downloaded without a credential if the answer has its address only. Throws if it
 * cannot be had.
 */
export async function readPicture(
  { b64_json: file, url = "" }: GeneratedImage,
  fetch: Fetch,
  signal: AbortSignal,
  maxBytes = MAX_BYTES,
): Promise<Buffer> {
  if (file !== undefined) return Buffer.from(file, "base64");
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]);
  const response = await fetch(new Request(url), { credentials: "omit", signal: limit });
  const refusal = new Error(`The picture at ${url} cannot be downloaded.`);
  if (!response.ok || response.body === null) throw refusal;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.length;
    if (bytes > maxBytes) throw refusal;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Writes a picture to a file of this name, which is replaced; the second of several to a name that ends with -2. Without a name,
 * the file in `folder` is called picture and by its format, with a number that no file has yet.
 */
export async function writePicture(
  name: string | undefined,
  picture: Buffer,
  index: number,
  folder = "",
): Promise<WrittenPicture> {
  const bytes = picture.length;
  if (name !== undefined) {
    const extension = extname(name);
    const path = index === 0 ? name : `${name.slice(0, name.length - extension.length)}-${index + 1}${extension}`;
    await writeFile(path, picture);
    return { path, bytes };
  }
  const extension = findFormat(picture);
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    const path = join(folder, `picture-${number}.${extension}`);
    if (await writeNew(path, picture)) return { path, bytes };
  }
  throw new Error("There are too many pictures here. Name the file: -o picture.png");
}

/** Writes a file; returns false if there is one of this name. */
async function writeNew(path: string, bytes: Buffer): Promise<boolean> {
  try {
    await writeFile(path, bytes, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "EEXIST") return false;
    throw error;
  }
}

function findFormat(picture: Buffer): string {
  const start = picture.toString("latin1", 0, 12);
  return BEGINNINGS.find(([pattern]) => pattern.test(start))?.[1] ?? "bin";
}
