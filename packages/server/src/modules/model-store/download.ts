import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { AppError } from "../../shared/errors.ts";
import type { Hub } from "../hub/hub.ts";

/** A file of a repository at one commit. */
export type Download = {
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
  part: string;
  progress(bytes: number): void;
  verifying(): void;
  signal: AbortSignal;
};

/** Time without data after which a connection counts as broken. */
const SILENCE = 60_000;

/** The downloaded file is not the one that the hub described. The partial file is deleted. */
export class WrongFile extends Error {
  override readonly name = "WrongFile";
}

/**
 * Downloads the missing part of a file, verifies it and returns its SHA-256. The partial file is kept after a failure,
 * so that the next attempt continues it. Throws `WrongFileError` if size or checksum differ, and `hub.*` errors.
 */
export async function download(hub: Hub, file: Download, options: DownloadOptions): Promise<string> {
  const { part, progress, verifying, signal } = options;
  let there = await sizeOf(part);
  if (there > file.size) {
    await rm(part);
    there = 0;
  }
  progress(there);
  if (there < file.size) await fetchRest(hub, file, there, options);
  verifying();
  const sha256 = await checksum(part, signal);
  if (file.sha256 !== null && sha256 !== file.sha256) {
    await rm(part, { force: true });
    throw new WrongFile(`The checksum of ${file.path} is wrong; it was thrown away.`);
  }
  return sha256;
}

async function fetchRest(
  hub: Hub,
  { id, path, revision, token, size, sha256 }: Download,
  from: number,
  { part, progress, signal }: DownloadOptions,
): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(silent()), SILENCE);
  const either = AbortSignal.any([signal, silence.signal]);
  try {
    const answer = await hub.download(id, path, { revision, token, from, signal: either });
    if (answer.size !== size || (sha256 !== null && answer.sha256 !== null && answer.sha256 !== sha256))
      throw new WrongFile(`${path} is another file on the hub now. Download it anew.`);
    const file = await open(part, answer.from > 0 ? "r+" : "w");
    try {
      let at = answer.from;
      for await (const bytes of received(answer.body, path)) {
        either.throwIfAborted();
        timer.refresh();
        if (at + bytes.length > size) throw new WrongFile(`The hub sent more of ${path} than there is.`);
        at = await write(file, bytes, at);
        progress(at);
      }
      await file.sync();
      if (at < size) throw brokenOff(path);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw silence.signal.aborted && !signal.aborted ? silent() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the body; connection errors become `hub.unavailable`, so that they differ from disk errors. */
async function* received(body: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw brokenOff(path, error);
  }
}

async function write(file: FileHandle, bytes: Uint8Array, at: number): Promise<number> {
  let written = 0;
  while (written < bytes.length)
    written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
  return at + written;
}

async function checksum(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(path, { highWaterMark: 4 * 1024 * 1024, signal })) hash.update(bytes);
  return hash.digest("hex");
}

/** Returns the size of a file in bytes; 0 if there is none. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

const brokenOff = (path: string, cause?: unknown) =>
  new AppError(503, "hub.unavailable", `The hub broke off in the middle of ${path}.`, { cause });
const silent = () => new AppError(503, "hub.unavailable", "The hub fell silent in the middle of the file.");
