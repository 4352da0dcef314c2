import type { BackendProvider } from "@feather/sdk";
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

/** Reads an API key from stdin, because others can see command lines. Throws `UsageError` if there is none. */
export async function readKey({ stdin }: { readonly stdin: InputStream }): Promise<string> {
  const key = (await readAll(stdin)).trim();
  if (key === "") throw new UsageError("there was no key on stdin", "--with-key < key.txt");
  return key;
}

/** What reads the key of a provider and speaks to the person; a `Context` has all of it. */
type KeyReader = {
  readonly io: { readonly stdin: InputStream };
  readonly output: { info(text: string): void };
  askSecret(label: string, alternative: string): Promise<string>;
};

/**
 * Returns the key of a provider: from stdin, or from the person at the terminal, who does not see it. Warns about one that does
 * not have the form of the provider's keys. Throws `UsageError` without a key.
 */
export async function readProviderKey(
  { io, output, askSecret }: KeyReader,
  { name, key_url, key_prefix }: Pick<BackendProvider, "name" | "key_url" | "key_prefix">,
  withKey: boolean,
): Promise<string> {
  const key = withKey ? await readKey(io) : (await askSecret(`Key of ${name}, from ${key_url}`, "--key -")).trim();
  if (key === "") throw new UsageError("there was no key", "--key - < key.txt");
  if (key_prefix !== null && !key.startsWith(key_prefix))
    output.info(`Keys of ${name} begin with ${key_prefix}, this one does not. It is stored all the same.`);
  return key;
}
