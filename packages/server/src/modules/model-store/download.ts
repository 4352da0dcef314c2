import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { errors } from "../../core/errors/index.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { Hub } from "../hub/index.ts";

/** A file of a repository at one commit. */
export type DownloadSource = {
  id: string;
  path: string;
  revision: string;
  token?: string | undefined;
  size: number;
  /** SHA-256 of the content; null if the hub does not publish it. */
  sha256: string | null;
};

/** Where a download is written, and how it reports progress. */
export type DownloadOptions = {
  /** Path of the partial file; bytes that it holds already are not downloaded again. */
  partPath: string;
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
 * Downloads the missing part of a file, verifies it and returns its SHA-256. The partial file is kept after a failure,
 * so that the next attempt continues it. Throws `WrongFileError` if size or checksum differ, and `hub.*` errors.
 */
export async function download(hub: Hub, file: DownloadSource, options: DownloadOptions): Promise<string> {
  const { partPath, onProgress, onVerifying, signal } = options;
  let downloadedBytes = await fileSize(partPath);
  if (downloadedBytes > file.size) {
    await rm(partPath);
    downloadedBytes = 0;
  }
  onProgress(downloadedBytes);
  if (downloadedBytes < file.size) await fetchRest(hub, file, downloadedBytes, options);
  onVerifying();
  const sha256 = await checksum(partPath, signal);
  if (file.sha256 !== null && sha256 !== file.sha256) {
    await rm(partPath, { force: true });
    throw new WrongFileError(`The checksum of ${file.path} is wrong; it was thrown away.`);
  }
  return sha256;
}

async function fetchRest(
  hub: Hub,
  { id, path, revision, token, size, sha256 }: DownloadSource,
  from: number,
  { partPath, onProgress, signal }: DownloadOptions,
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
        onProgress(position);
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
