import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { UsageError } from "../../errors.ts";

/** The largest file that is sent with a prompt; more does not fit into any model. */
const LARGEST = 4_000_000;

/** What stands in a file, up to a size. */
export async function bytesOf(path: string, largest: number): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(`${path} cannot be read (${code === "ENOENT" ? "there is no such file" : code})`);
  });
  if (bytes.length > largest) throw new UsageError(`${path} is larger than ${largest / 1e6} MB`);
  return bytes;
}

/** A text file as a part of a prompt, under its name. */
export async function filePart(path: string): Promise<string> {
  const bytes = await bytesOf(path, LARGEST);
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
