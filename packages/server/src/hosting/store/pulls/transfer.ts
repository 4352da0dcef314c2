import { type FileHandle, open } from "node:fs/promises";
import { errors } from "../../../platform/core/errors/index.ts";
import { MINUTE_MS } from "../../../platform/core/time.ts";
import type { Hub, HubDownload, HubFile } from "../../hub/index.ts";
import {
  type ByteRange,
  deletePartialFile,
  fileSize,
  keepBeginning,
  type PartialFile,
  splitRange,
  sumRanges,
  writeJournal,
} from "../files/partial-file.ts";
import { PullFailedError } from "../store.errors.ts";

/** How the bytes of a file are fetched. */
export type TransferSettings = {
  /** The number of connections for a large file. */
  connections: number;
  /** If at least this many bytes are missing, several connections are used. */
  minParallelBytes: number;
  /** With several connections, the journal is written each time this many bytes have arrived. */
  journalBytes: number;
};

/** Four connections from 64 MB on. A killed process downloads at most 16 MB of a file twice. */
export const DEFAULT_TRANSFER: TransferSettings = {
  connections: 4,
  minParallelBytes: 64 * 1024 * 1024,
  journalBytes: 16 * 1024 * 1024,
};

/** A file of a repository, and the partial file that it is written to. */
export type Transfer = {
  hub: Pick<Hub, "download">;
  repository: { id: string; revision: string; token?: string | undefined };
  file: HubFile & { partPath: string };
  settings: TransferSettings;
  /** Called with the number of bytes that the partial file has. */
  onBytes(count: number): void;
  signal: AbortSignal;
};

/** A connection without data for this long counts as broken. */
const STALL_TIMEOUT_MS = MINUTE_MS;

/** The error of a file that is not the one that the hub described. Its partial file is deleted. */
export class WrongFileError extends PullFailedError {
  override readonly name = "WrongFile";
}

/** The hub sent the whole file in response to the request for a range. */
class RangesIgnoredError extends Error {
  override readonly name = "RangesIgnored";
}

/**
 * Downloads the missing bytes of a partial file: on several connections if they are many, in one stream if the hub ignores
 * ranges. The downloaded bytes are kept after a failure. Throws `hub.*` errors, and `WrongFileError` if the file on the hub
 * is not the described one or changes during the download.
 */
export async function fetchMissing(transfer: Transfer, partial: PartialFile): Promise<void> {
  const ranges = toRanges(partial, transfer.settings);
  const [first] = ranges;
  if (first === undefined) return;
  try {
    if (ranges.length === 1 && !partial.hasJournal) await fetchStream(transfer, first.position);
    else await fetchRangesOrStream(transfer, ranges, partial.etag);
  } catch (error) {
    if (error instanceof WrongFileError) await deletePartialFile(transfer.file.partPath);
    throw error;
  }
}

function toRanges({ missing }: PartialFile, { connections, minParallelBytes }: TransferSettings): ByteRange[] {
  const [first] = missing;
  if (first && missing.length === 1 && first.end - first.position >= minParallelBytes)
    return splitRange(first, connections);
  return missing.map((range) => ({ ...range }));
}

/**
 * Downloads ranges at the same time. If the hub ignores ranges, downloads everything after the first missing byte in one
 * stream.
 */
async function fetchRangesOrStream(
  transfer: Transfer,
  ranges: readonly ByteRange[],
  etag: string | null,
): Promise<void> {
  try {
    await fetchRanges(transfer, ranges, etag);
  } catch (error) {
    if (!(error instanceof RangesIgnoredError)) throw error;
    const from = ranges[0]?.position ?? 0;
    await keepBeginning(transfer.file.partPath, from);
    transfer.onBytes(from);
    await fetchStream(transfer, from);
  }
}

/** Downloads a file from a position on, or from its beginning if the hub cannot continue there. */
async function fetchStream(transfer: Transfer, from: number): Promise<void> {
  const { file, onBytes, signal } = transfer;
  const { path, partPath, size } = file;
  await withStallLimit(signal, async (stallSignal, noteData) => {
    const response = await openDownload(transfer, { from }, stallSignal);
    const handle = await open(partPath, response.from > 0 ? "r+" : "w");
    try {
      let position = response.from;
      for await (const bytes of readBody(response.body, path)) {
        stallSignal.throwIfAborted();
        noteData();
        if (position + bytes.length > size) throw tooMuchData(path);
        position = await write(handle, bytes, position);
        onBytes(position);
      }
      await handle.sync();
      if (position < size) throw hubDisconnected(path);
    } finally {
      await handle.close();
    }
  });
}

/**
 * Downloads ranges of a file at the same time. The first failure aborts all of them. The journal keeps the bytes that have
 * arrived.
 */
async function fetchRanges(transfer: Transfer, ranges: readonly ByteRange[], etag: string | null): Promise<void> {
  const { file, signal } = transfer;
  const { partPath, size } = file;
  // The journal is written first: without one, a file of the full size counts as complete.
  await writeJournal(partPath, size, { missing: ranges, etag });
  const handle = await open(partPath, (await fileSize(partPath)) > 0 ? "r+" : "w+");
  const failure = new AbortController();
  const work = createRangeWork(transfer, ranges, { handle, etag, onFailure: (error) => failure.abort(error) });
  const combinedSignal = AbortSignal.any([signal, failure.signal]);
  try {
    await handle.truncate(size);
    await Promise.all(
      ranges.map((range) => fetchRange(work, range, combinedSignal).catch((error) => failure.abort(error))),
    );
    await work.save();
  } finally {
    await handle.close();
  }
  signal.throwIfAborted();
  if (failure.signal.aborted) throw failure.signal.reason;
}

type RangeWork = {
  transfer: Transfer;
  handle: FileHandle;
  /** Records that bytes were written. */
  note(bytes: number): void;
  /** Throws `WrongFileError` if the ETag differs from that of earlier responses. */
  checkEtag(response: HubDownload): void;
  /** Writes the journal, after the bytes that it counts are on the disk. */
  save(): Promise<void>;
};

type RangeWorkOptions = { handle: FileHandle; etag: string | null; onFailure(error: unknown): void };

function createRangeWork(
  transfer: Transfer,
  ranges: readonly ByteRange[],
  { handle, etag: knownEtag, onFailure }: RangeWorkOptions,
): RangeWork {
  const { file, settings, onBytes } = transfer;
  const { partPath, size, path } = file;
  // The ETag of an earlier attempt counts only without a checksum. With one, the complete file is verified, so the server
  // may have another ETag for it now.
  let etag = file.sha256 === null ? knownEtag : null;
  let unsavedBytes = 0;
  let saving: Promise<void> | null = null;
  const save = async () => {
    await saving;
    const missing = ranges.map((range) => ({ ...range }));
    await handle.datasync();
    await writeJournal(partPath, size, { missing, etag });
  };
  return {
    transfer,
    handle,
    save,
    note(bytes) {
      onBytes(size - sumRanges(ranges));
      unsavedBytes += bytes;
      if (unsavedBytes < settings.journalBytes || saving !== null) return;
      unsavedBytes = 0;
      saving = save()
        .catch(onFailure)
        .finally(() => {
          saving = null;
        });
    },
    checkEtag(response) {
      etag ??= response.etag;
      if (response.etag !== null && response.etag !== etag) throw anotherFile(path);
    },
  };
}

async function fetchRange(work: RangeWork, range: ByteRange, signal: AbortSignal): Promise<void> {
  const { transfer, handle } = work;
  const { path } = transfer.file;
  if (range.position === range.end) return;
  await withStallLimit(signal, async (stallSignal, noteData) => {
    const response = await openDownload(transfer, { from: range.position, to: range.end }, stallSignal);
    work.checkEtag(response);
    if (response.from !== range.position || response.to !== range.end) throw new RangesIgnoredError();
    for await (const bytes of readBody(response.body, path)) {
      stallSignal.throwIfAborted();
      noteData();
      if (range.position + bytes.length > range.end) throw tooMuchData(path);
      range.position = await write(handle, bytes, range.position);
      work.note(bytes.length);
    }
    if (range.position < range.end) throw hubDisconnected(path);
  });
}

/** Opens a download. Throws `WrongFileError` if the response is for another file than the described one. */
async function openDownload(
  { hub, repository, file }: Transfer,
  range: { from: number; to?: number },
  signal: AbortSignal,
): Promise<HubDownload> {
  const { id, revision, token } = repository;
  const response = await hub.download(id, file.path, { revision, token, ...range, signal });
  const isOther =
    response.size !== file.size ||
    (file.sha256 !== null && response.sha256 !== null && response.sha256 !== file.sha256) ||
    (response.revision !== null && response.revision !== revision);
  if (isOther) throw anotherFile(file.path);
  return response;
}

/** Runs `fetch` with a signal that aborts if `fetch` does not call `noteData` for `STALL_TIMEOUT_MS`. */
async function withStallLimit(
  signal: AbortSignal,
  fetch: (signal: AbortSignal, noteData: () => void) => Promise<void>,
): Promise<void> {
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(), STALL_TIMEOUT_MS);
  try {
    await fetch(AbortSignal.any([signal, stall.signal]), () => timer.refresh());
  } catch (error) {
    throw stall.signal.aborted && !signal.aborted
      ? errors.hub.unavailable("The hub fell silent in the middle of the file.")
      : error;
  } finally {
    clearTimeout(timer);
    stall.abort(); // closes the connection of a response that was not read to its end
  }
}

/** Reads the body. Connection errors become `hub.unavailable`, so that they differ from disk errors. */
async function* readBody(body: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw hubDisconnected(path, error);
  }
}

async function write(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  let written = 0;
  while (written < bytes.length)
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  return position + written;
}

const anotherFile = (path: string) => new WrongFileError(`${path} is another file on the hub now. Download it anew.`);
const tooMuchData = (path: string) => new WrongFileError(`The hub sent more of ${path} than there is.`);
const hubDisconnected = (path: string, cause?: unknown) =>
  errors.hub.unavailable(`The hub broke off in the middle of ${path}.`, { cause });
