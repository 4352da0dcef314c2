import { readFile } from "node:fs/promises";
import { createReadError, UsageError } from "../errors.ts";

/** Largest file whose text is sent or read; the server takes no larger documents. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** How long the server may take to read a document, in milliseconds; it gives up by itself. */
export const DOCUMENT_TIMEOUT_MS = 330_000;

/** Reads a file. Throws `UsageError` when it cannot be read, or is larger than `maxBytes`. */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw createReadError(path, error);
  });
  if (bytes.length > maxBytes) throw new UsageError(`${path} is larger than ${maxBytes / 1e6} MB`);
  return bytes;
}
