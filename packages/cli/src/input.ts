import { UsageError } from "./errors.ts";
import type { Input } from "./output/io.ts";

/** Everything that comes on a stream, as text. */
export async function readAll(input: Input): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}

/** A token that comes on stdin, where neither the history of the shell nor the list of processes shows it. */
export async function readToken(input: Input): Promise<string> {
  const token = (await readAll(input)).trim();
  if (token === "") throw new UsageError("no token came on stdin", "--with-token < token.txt");
  return token;
}
