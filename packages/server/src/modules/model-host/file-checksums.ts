import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { bind } from "../../core/bind.ts";
import { SECOND_MS } from "../../core/time.ts";

/** Computes the SHA-256 of a file, in hexadecimal. */
export type ComputeChecksum = (path: string, signal: AbortSignal) => Promise<string>;

type Deps = {
  compute: ComputeChecksum;
  /** How long a request waits for a checksum that is being computed, in milliseconds. */
  maxWaitMs?: number;
};
/** A checksum, of the file as it was then. */
type Entry = { state: string; sha256: Promise<string> };
type Context = Required<Deps> & {
  entries: Map<string, Entry>;
  /** The end of what reads large files, which are read one after the other. */
  queue: { end: Promise<unknown> };
  abort: AbortController;
};

/** Where checksums are kept: beside the files, so that they are deleted with them. */
const RECORD_NAME = ".checksums";
const recordSchema = z.record(z.string(), z.object({ state: z.string(), sha256: z.string() }));
/** Checksums kept in memory. */
const MAX_ENTRIES = 10_000;
const DEFAULT_MAX_WAIT_MS = 2 * SECOND_MS;
/** Larger files are read one after the other, and what they gave is kept on the disk. */
const LARGE_FILE_BYTES = 64 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

/** Creates the checksums of files that the store does not name by them. Each version of a file is read once. */
export function createFileChecksums({ compute, maxWaitMs = DEFAULT_MAX_WAIT_MS }: Deps) {
  const context: Context = {
    ...{ compute, maxWaitMs, entries: new Map(), queue: { end: Promise.resolve() } },
    abort: new AbortController(),
  };
  return {
    ...bind(context, { find: findChecksum, prepare: prepareChecksums }),
    /** Ends what is being computed. */
    stop: () => context.abort.abort(),
  };
}

/** The checksums of files that are given to pods. */
export type FileChecksums = ReturnType<typeof createFileChecksums>;

/** Begins to compute the checksums of files that are not known yet. */
function prepareChecksums(context: Context, paths: readonly string[]): void {
  for (const path of paths) if (!context.entries.has(path)) void begin(context, path).catch(() => {});
}

/**
 * Returns the SHA-256 of a file; `isHere` says whether there is such a file, whose checksum is null while it takes longer to
 * compute than a request waits.
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

/** Returns the checksum that is known, or is being computed now; null if there is no such file. */
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
  // The next request computes it again.
  sha256.catch(() => entries.get(path) === entry && entries.delete(path));
  return { checksum: sha256 };
}

/** Returns the checksum that is kept on the disk, or computes it after those before it. */
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
    // Whatever it is, it is written anew.
    return {};
  }
}

/** A full disk, or a folder that is gone, only means that it is computed again after a restart. */
async function writeRecord(path: string, record: z.infer<typeof recordSchema>): Promise<void> {
  const partial = `${path}.part`;
  await writeFile(partial, JSON.stringify(record))
    .then(() => rename(partial, path))
    .catch(() => {});
}
