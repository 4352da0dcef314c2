import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../http/errors.ts";

/** What files are downloaded, and where to. */
export type FetchArguments = {
  folder: string;
  urls: readonly string[];
  /** The token that is sent to the host of each address, and to none that it redirects to. */
  token: string | undefined;
  /** Waits for milliseconds, before another attempt. */
  wait?: (ms: number) => Promise<unknown>;
};

/** A file cannot be downloaded; the message says why. */
export class FetchError extends Error {}

/** A failure that may pass: a server that restarts, or has too much to do. */
class PassingError extends FetchError {
  /** Milliseconds after which the server wants to be asked again; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A checksum as the Hugging Face Hub gives it for large files: SHA-256, in hexadecimal. */
const SHA256 = /^"?([0-9a-f]{64})"?$/;
const PARTIAL_CONTENT = 206;
const RANGE_NOT_SATISFIABLE = 416;
const TOO_MANY_REQUESTS = 429;
/** Milliseconds to wait after each failure that may pass: a server takes less than a minute to restart. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000];
/**
 * Milliseconds to wait altogether for a server that says when to come back: the checksums of a large model, which are computed
 * before the first download, can take so long.
 */
const MAX_DEFERRAL_MS = 60 * 60_000;
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Downloads files into a folder under their own names. Those that are there stay; one that broke off is continued, also when
 * the server is gone for a while. Throws a {@link FetchError}.
 */
export async function fetchFiles({ folder, urls, token, wait = sleep }: FetchArguments, log: Log): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const url of urls) {
    const path = join(folder, fileNameOf(url));
    if (await sizeOf(path)) log(`${path} is there already`);
    else await fetchRepeatedly({ url, path, token, wait }, log);
  }
}

type FetchedFile = Required<Omit<FetchArguments, "folder" | "urls">> & { url: string; path: string };

/**
 * Tries again after failures that may pass. An attempt that brings something counts as the first one, and one after which the
 * server says when to come back does not count, for as long as it may be waited for.
 */
async function fetchRepeatedly(file: FetchedFile, log: Log): Promise<void> {
  const { url, path, token, wait } = file;
  let failures = 0;
  let deferredMs = 0;
  for (;;) {
    const before = (await sizeOf(partialOf(path))) ?? 0;
    try {
      return await fetchFile(url, path, token, log);
    } catch (error) {
      if (((await sizeOf(partialOf(path))) ?? 0) > before) [failures, deferredMs] = [0, 0];
      if (!(error instanceof PassingError)) throw error;
      const { retryAfterMs } = error;
      const isDeferred = retryAfterMs !== null && deferredMs + retryAfterMs <= MAX_DEFERRAL_MS;
      const waitMs = isDeferred ? retryAfterMs : WAITS_MS[failures];
      if (waitMs === undefined) throw error;
      if (isDeferred) deferredMs += waitMs;
      else failures += 1;
      log(`${error.message} It is tried again.`);
      await wait(waitMs);
    }
  }
}

/** Several machines may share the folder. */
const partialOf = (path: string): string => `${path}.${hostname()}.partial`;

async function fetchFile(url: string, path: string, token: string | undefined, log: Log): Promise<void> {
  const partial = partialOf(path);
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
    throw new PassingError(`${url} cannot be reached: ${describeCause(error)}`);
  });
  // The partial file already has all bytes that the server has, so the whole file is fetched again.
  if (response.status === RANGE_NOT_SATISFIABLE) return request(url, token, {});
  const { status } = response;
  const message = `${url} answered with status ${status}.`;
  if (status >= 500 || status === TOO_MANY_REQUESTS) throw new PassingError(message, readRetryAfterMs(response));
  if (status >= 400) throw new FetchError(message);
  return response;
}

/** Returns how long to wait in milliseconds, from `Retry-After` in seconds; null if the answer does not say it so. */
function readRetryAfterMs({ headers }: Response): number | null {
  const seconds = headers.get("retry-after") ?? "";
  return /^[1-9]\d{0,5}$/.test(seconds) ? Math.min(Number(seconds) * 1_000, MAX_RETRY_AFTER_MS) : null;
}

function bodyOf({ body }: Response, url: string): Readable {
  if (body === null) throw new FetchError(`${url} answered without a file.`);
  return Readable.from(readBody(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), url));
}

async function* readBody(body: Readable, url: string): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw new PassingError(`${url} broke off: ${describeCause(error)}`);
  }
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
