import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Log } from "../http/errors.ts";

/** What files are downloaded, and where to. */
export type FetchArguments = {
  folder: string;
  urls: readonly string[];
  /** The token that is sent to the host of each address, and to none that it redirects to. */
  token: string | undefined;
};

/** A file cannot be downloaded; the message says why. */
export class FetchError extends Error {}

/** A checksum as the Hugging Face Hub gives it for large files: SHA-256, in hexadecimal. */
const SHA256 = /^"?([0-9a-f]{64})"?$/;
const PARTIAL_CONTENT = 206;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Downloads files into a folder under their own names. Those that are there stay; one that broke off is continued. Throws
 * a {@link FetchError}.
 */
export async function fetchFiles({ folder, urls, token }: FetchArguments, log: Log): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const url of urls) {
    const path = join(folder, fileNameOf(url));
    if (await sizeOf(path)) log(`${path} is there already`);
    else await fetchFile(url, path, token, log);
  }
}

async function fetchFile(url: string, path: string, token: string | undefined, log: Log): Promise<void> {
  // Several machines may share the folder.
  const partial = `${path}.${hostname()}.partial`;
  const sha256 = await readChecksum(url, token);
  const from = (await sizeOf(partial)) ?? 0;
  const response = await request(url, token, from > 0 ? { headers: { range: `bytes=${from}-` } } : {});
  const isContinued = response.status === PARTIAL_CONTENT && from > 0;
  log(`downloading ${url}${isContinued ? `, from byte ${from}` : ""}`);
  const hash = createHash("sha256");
  if (isContinued) await pipeline(createReadStream(partial), hashing(hash), async function* () {});
  await pipeline(bodyOf(response, url), hashing(hash), createWriteStream(partial, { flags: isContinued ? "a" : "w" }));
  if (sha256 !== null && hash.digest("hex") !== sha256) {
    await rm(partial);
    throw new FetchError(`${url} came with another checksum than the hub's.`);
  }
  await rename(partial, path);
  log(`downloaded ${path}`);
}

/** The checksum that the hub publishes for a file, in its own answer, before it redirects to a store; null if it has none. */
async function readChecksum(url: string, token: string | undefined): Promise<string | null> {
  const { headers } = await request(url, token, { method: "HEAD", redirect: "manual" });
  return SHA256.exec(headers.get("x-linked-etag") ?? headers.get("etag") ?? "")?.[1] ?? null;
}

async function request(url: string, token: string | undefined, init: RequestInit): Promise<Response> {
  const headers = { ...init.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
    throw new FetchError(`${url} cannot be reached: ${describeCause(error)}`);
  });
  // There is no more than what is here already, so it is read once more as a whole.
  if (response.status === RANGE_NOT_SATISFIABLE) return request(url, token, {});
  if (response.status >= 400) throw new FetchError(`${url} answered with status ${response.status}.`);
  return response;
}

function bodyOf({ body }: Response, url: string): Readable {
  if (body === null) throw new FetchError(`${url} answered without a file.`);
  return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
}

function hashing(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}

function fileNameOf(url: string): string {
  const name = URL.canParse(url) ? decodeURIComponent(basename(new URL(url).pathname)) : "";
  if (name === "" || name === "." || name === ".." || name.includes("/")) throw new FetchError(`${url} names no file.`);
  return name;
}

async function sizeOf(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.size ?? null;
}

function describeCause(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
