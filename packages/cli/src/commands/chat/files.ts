import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { createReadError, UsageError } from "../../errors.ts";

/** Largest file that can be sent with a prompt; more would not fit into any model's context. */
const MAX_FILE_BYTES = 4_000_000;

/** Reads a file. Throws `UsageError` when it cannot be read, or is larger than `maxBytes`. */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw createReadError(path, error);
  });
  if (bytes.length > maxBytes) throw new UsageError(`${path} is larger than ${maxBytes / 1e6} MB`);
  return bytes;
}

/** Returns a text file as part of a prompt: its name, then its content in a code fence. Throws `UsageError` for other files. */
export async function readFilePart(path: string): Promise<string> {
  const bytes = await readBytes(path, MAX_FILE_BYTES);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not text`);
  }
  const runs = [...text.matchAll(/^`{3,}/gm)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${basename(path)}:\n${fence}\n${text.trimEnd()}\n${fence}`;
}
