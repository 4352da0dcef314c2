import type { Input } from "./output/io.ts";

/** Everything that comes on a stream, as text. */
export async function readAll(input: Input): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}
