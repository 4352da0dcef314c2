import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { bind } from "../../../platform/core/bind.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";

/** Computes the SHA-256 of a file, in hexadecimal. */
export type ComputeChecksum = (path: string, signal: AbortSignal) => Promise<string>;

type Deps = {
  compute: ComputeChecksum;
  /** How long a request waits for a checksum that is being computed, in milliseconds. */
  maxWaitMs?: number;
};
/** The checksum of a file, and the size and time of change for which it holds. */
type Entry = { state: string; sha256: Promise<string> };
type Context = Required<Deps> & {
  entries: Map<string, Entry>;
  /** Resolves when the last large file in the queue has been read. Large files are read one after the other. */
  queue: { end: Promise<unknown> };
  abort: AbortController;
};

/**
 * The file that keeps checksums across restarts. It lies in the folder of the model files, so that it is deleted with them.
 */
const RECORD_NAME = ".checksums";
const recordSchema = z.record(z.string(), z.object({ state: z.string(), sha256: z.string() }));
/** Most checksums that are kept in memory. */
const MAX_ENTRIES = 10_000;
const DEFAULT_MAX_WAIT_MS = 2 * SECOND_MS;
/** Larger files are read one after the other, and their checksums are kept on the disk. */
const LARGE_FILE_BYTES = 64 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Creates the lookup of checksums. A file of the store that is named by its checksum is not read; each version of any other
 * file is read once.
 */
export function createFileChecksums({ compute, maxWaitMs = DEFAULT_MAX_WAIT_MS }: Deps) {
  const context: Context = {
    compute,
    maxWaitMs,
    entries: new Map(),
    queue: { end: Promise.resolve() },
    abort: new AbortController(),
  };
  return {
    ...bind(context, { find: findChecksum, prepare: prepareChecksums }),
    /** Aborts the checksums that are being computed. */
    stop: () => context.abort.abort(),
  };
}

/** The checksums of files that are given to pods. */
export type FileChecksums = ReturnType<typeof createFileChecksums>;

/** Starts computing the checksums of files that are not in memory yet. */
function prepareChecksums(context: Context, paths: readonly string[]): void {
  for (const path of paths) if (!context.entries.has(path)) void begin(context, path).catch(() => {});
}

/**
 * Returns the SHA-256 of a file. `isHere` is false if the file does not exist. `sha256` is null if computing it takes
 * longer than `maxWaitMs`.
 */
async function findChecksum(context: Context, path: string): Promise<{ isHere: boolean; sha256: string | null }> {
  const begun = await begin(context, path);
  if (begun === null) return { isHere: false, sha256: null };
  const timer = new AbortController();
  const late = sleep(context.maxWaitMs, null, { ref: false, signal: timer.signal });
  late.catch(() => {});
  const sha256 = await Promise.race([begun.checksum, late]).finally(() => timer.abort());
  return { isHere: true, sha256 };
}

/** Returns the checksum that is in memory or being computed, or starts computing it. Null if the file does not exist. */
async function begin(context: Context, path: string): Promise<{ checksum: Promise<string> } | null> {
  const { entries, abort } = context;
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  const named = basename(path, ".gguf");
  if (SHA256.test(named)) return { checksum: Promise.resolve(named) };
  const state = `${found.size} ${found.mtimeMs}`;
  const known = entries.get(path);
  if (known?.state === state) return { checksum: known.sha256 };
  const sha256 =
    found.size < LARGE_FILE_BYTES ? context.compute(path, abort.signal) : computeInTurn(context, path, state);
  const [oldest] = entries.keys();
  if (oldest !== undefined && entries.size >= MAX_ENTRIES) entries.delete(oldest);
  const entry = { state, sha256 };
  entries.set(path, entry);
  // A failed computation is not kept, so that the next request repeats it.
  sha256.catch(() => entries.get(path) === entry && entries.delete(path));
  return { checksum: sha256 };
}

/**
 * Returns the checksum from the record on the disk if the file has not changed since. Otherwise computes it when the files
 * before it in the queue have been read.
 */
function computeInTurn({ compute, queue, abort }: Context, path: string, state: string): Promise<string> {
  const name = basename(path);
  const sha256 = queue.end.then(async () => {
    const recordPath = join(dirname(path), RECORD_NAME);
    const record = await readRecord(recordPath);
    const kept = record[name];
    if (kept?.state === state) return kept.sha256;
    const computed = await compute(path, abort.signal);
    await writeRecord(recordPath, { ...record, [name]: { state, sha256: computed } });
    return computed;
  });
  queue.end = sha256.catch(() => {});
  return sha256;
}

async function readRecord(path: string) {
  const text = await readFile(path, "utf8").catch(() => "{}");
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    // An unreadable record counts as empty. The next checksum replaces it.
    return {};
  }
}

/** Writes the checksums to the disk. Errors, such as a full disk, are ignored: the file is read again after a restart. */
async function writeRecord(path: string, record: z.infer<typeof recordSchema>): Promise<void> {
  const partial = `${path}.part`;
  await writeFile(partial, JSON.stringify(record))
    .then(() => rename(partial, path))
    .catch(() => {});
}
