import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { errors } from "../../core/errors/index.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { Hub, HubFile } from "../hub/index.ts";

/** Files of a repository at one commit. */
export type DownloadSource = {
  id: string;
  revision: string;
  token?: string | undefined;
  files: readonly DownloadFile[];
};

/** A file, and the path of the partial one; bytes that it holds already are not downloaded again. */
export type DownloadFile = HubFile & { partPath: string };

/** How a download reports progress. */
export type DownloadOptions = {
  /** Called with the number of bytes that are here, of all files. */
  onProgress(bytes: number): void;
  onVerifying(): void;
  signal: AbortSignal;
};

/** Time without data after which a connection counts as broken. */
const STALL_TIMEOUT_MS = MINUTE_MS;

/** The downloaded file is not the one that the hub described. The partial file is deleted. */
export class WrongFileError extends Error {
  override readonly name = "WrongFile";
}

/**
 * Downloads what is missing of the files, verifies them and returns their SHA-256, in their order. Partial files are kept
 * after a failure, so that the next attempt continues them. Throws `WrongFileError` if size or checksum differ, and
 * `hub.*` errors.
 */
export async function download(hub: Hub, source: DownloadSource, options: DownloadOptions): Promise<string[]> {
  const { files } = source;
  const { onProgress, onVerifying, signal } = options;
  const bytes = await Promise.all(files.map(keepPrefix));
  const report = (index: number, count: number) => {
    bytes[index] = count;
    onProgress(bytes.reduce((sum, size) => sum + size, 0));
  };
  for (const [index, file] of files.entries()) {
    const from = bytes[index] ?? 0;
    report(index, from);
    if (from < file.size) await fetchRest(hub, source, file, { from, onBytes: (count) => report(index, count), signal });
  }
  onVerifying();
  const checksums: string[] = [];
  for (const file of files) checksums.push(await verify(file, signal));
  return checksums;
}

/** Returns the bytes that a partial file holds; a file that is too long is deleted. */
async function keepPrefix({ partPath, size }: DownloadFile): Promise<number> {
  const bytes = await fileSize(partPath);
  if (bytes <= size) return bytes;
  await rm(partPath);
  return 0;
}

/** Returns the SHA-256 of a complete file. Throws `WrongFileError` and deletes it if it is not what the hub says. */
async function verify({ path, partPath, sha256: expected }: DownloadFile, signal: AbortSignal): Promise<string> {
  const sha256 = await checksum(partPath, signal);
  if (expected === null || sha256 === expected) return sha256;
  await rm(partPath, { force: true });
  throw new WrongFileError(`The checksum of ${path} is wrong; it was thrown away.`);
}

type Rest = { from: number; onBytes(count: number): void; signal: AbortSignal };

async function fetchRest(
  hub: Hub,
  { id, revision, token }: DownloadSource,
  { path, size, sha256, partPath }: DownloadFile,
  { from, onBytes, signal }: Rest,
): Promise<void> {
  const stallController = new AbortController();
  const timer = setTimeout(
    () => stallController.abort(errors.hub.unavailable("The hub fell silent in the middle of the file.")),
    STALL_TIMEOUT_MS,
  );
  const combinedSignal = AbortSignal.any([signal, stallController.signal]);
  try {
    const response = await hub.download(id, path, { revision, token, from, signal: combinedSignal });
    if (response.size !== size || (sha256 !== null && response.sha256 !== null && response.sha256 !== sha256))
      throw new WrongFileError(`${path} is another file on the hub now. Download it anew.`);
    const file = await open(partPath, response.from > 0 ? "r+" : "w");
    try {
      let position = response.from;
      for await (const bytes of readBody(response.body, path)) {
        combinedSignal.throwIfAborted();
        timer.refresh();
        if (position + bytes.length > size) throw new WrongFileError(`The hub sent more of ${path} than there is.`);
        position = await write(file, bytes, position);
        onBytes(position);
      }
      await file.sync();
      if (position < size) throw hubDisconnected(path);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw stallController.signal.aborted && !signal.aborted
      ? errors.hub.unavailable("The hub fell silent in the middle of the file.")
      : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the body; connection errors become `hub.unavailable`, so that they differ from disk errors. */
async function* readBody(body: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw hubDisconnected(path, error);
  }
}

async function write(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  let written = 0;
  while (written < bytes.length)
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  return position + written;
}

async function checksum(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(path, { highWaterMark: 4 * 1024 * 1024, signal })) hash.update(bytes);
  return hash.digest("hex");
}

/** Returns the size of a file in bytes; 0 if there is none. */
export async function fileSize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

const hubDisconnected = (path: string, cause?: unknown) =>
  errors.hub.unavailable(`The hub broke off in the middle of ${path}.`, { cause });
