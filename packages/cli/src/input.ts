import { UsageError } from "./errors.ts";
import type { InputStream } from "./output/io.ts";

/** Reads a stream to its end and returns it as text. */
export async function readAll(input: InputStream): Promise<string> {
  return (await readBytes(input)).toString("utf8");
}

/** Reads a stream to its end. */
export async function readBytes(input: InputStream): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

/** Reads a token from stdin, which keeps it out of shell history and process lists. Throws `UsageError` for empty input. */
export async function readToken(input: InputStream): Promise<string> {
  const token = (await readAll(input)).trim();
  if (token === "") throw new UsageError("no token came on stdin", "--with-token < token.txt");
  return token;
}
