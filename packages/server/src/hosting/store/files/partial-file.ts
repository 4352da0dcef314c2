import { readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";

/** A range of bytes of a file: from `position` up to but not including `end`. */
export type ByteRange = { position: number; readonly end: number };

/** The ranges that a partial file lacks, and where its other bytes are from. */
export type PartialFile = {
  missing: readonly ByteRange[];
  /** The ETag that the file had on the hub when its bytes were downloaded; null if it is unknown. */
  etag: string | null;
  /** Whether a journal lists the missing ranges. Without one, everything after the last byte is missing. */
  hasJournal: boolean;
};

/** The journal of a partial file, which is stored next to it. */
type Journal = { size: number; etag: string | null; missing: [position: number, end: number][] };

const JOURNAL_SUFFIX = ".missing";
/** The suffix of a journal that is being written. It replaces the old journal when it is complete. */
const NEW_JOURNAL_SUFFIX = ".missing.new";

/**
 * Returns the ranges that a partial file lacks of a file of `size` bytes. A partial file that cannot be continued is
 * deleted.
 */
export async function readPartialFile(path: string, size: number): Promise<PartialFile> {
  const bytes = await fileSize(path);
  const journal = await readJournal(path);
  if (journal === undefined && bytes <= size)
    return { missing: bytes < size ? [{ position: bytes, end: size }] : [], etag: null, hasJournal: false };
  if (journal && journal.size === size && bytes >= endOfContent(journal)) {
    const missing = journal.missing.map(([position, end]) => ({ position, end }));
    return { missing, etag: journal.etag, hasJournal: true };
  }
  await deletePartialFile(path);
  return { missing: [{ position: 0, end: size }], etag: null, hasJournal: false };
}

/** Returns the number of bytes that a partial file has. */
export async function countBytesHere(path: string): Promise<number> {
  const journal = await readJournal(path);
  if (journal === undefined) return fileSize(path);
  if (journal === null) return 0;
  return journal.size - sumRanges(journal.missing.map(([position, end]) => ({ position, end })));
}

/** Returns the number of bytes in ranges. */
export function sumRanges(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { position, end }) => sum + end - position, 0);
}

/** Splits a range into `count` ranges of nearly equal size. */
export function splitRange({ position, end }: ByteRange, count: number): ByteRange[] {
  const at = (index: number) => position + Math.floor(((end - position) * index) / count);
  return Array.from({ length: count }, (_, index) => ({ position: at(index), end: at(index + 1) }));
}

/**
 * Writes the journal of the missing ranges. If the process ends meanwhile, either the old or the new journal is complete on
 * the disk.
 */
export async function writeJournal(
  path: string,
  size: number,
  { missing, etag }: Pick<PartialFile, "missing" | "etag">,
): Promise<void> {
  const left = missing.filter(({ position, end }) => position < end);
  const journal: Journal = { size, etag, missing: left.map(({ position, end }) => [position, end]) };
  await writeFile(path + NEW_JOURNAL_SUFFIX, JSON.stringify(journal), { flush: true });
  await rename(path + NEW_JOURNAL_SUFFIX, path + JOURNAL_SUFFIX);
}

/** Deletes the journal of a partial file. Without one, the file counts as complete up to its last byte. */
export async function deleteJournal(path: string): Promise<void> {
  await rm(path + JOURNAL_SUFFIX, { force: true });
  await rm(path + NEW_JOURNAL_SUFFIX, { force: true });
}

/** Truncates a partial file to its first bytes, and deletes its journal. */
export async function keepBeginning(path: string, bytes: number): Promise<void> {
  await truncate(path, bytes);
  await deleteJournal(path);
}

/** Deletes a partial file and its journal. */
export async function deletePartialFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await deleteJournal(path);
}

/** Returns the name of the partial file that a journal belongs to. Returns any other name unchanged. */
export function toPartialName(name: string): string {
  const suffix = [NEW_JOURNAL_SUFFIX, JOURNAL_SUFFIX].find((end) => name.endsWith(end)) ?? "";
  return name.slice(0, name.length - suffix.length);
}

/** Returns the size of a file in bytes; 0 if it does not exist. */
export async function fileSize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Returns the journal of a partial file; undefined if it has none, and null if it cannot be read. */
async function readJournal(path: string): Promise<Journal | null | undefined> {
  const text = await readFile(path + JOURNAL_SUFFIX, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const journal: unknown = JSON.parse(text);
    return isJournal(journal) ? journal : null;
  } catch {
    return null;
  }
}

function isJournal(value: unknown): value is Journal {
  if (typeof value !== "object" || value === null || !("size" in value) || !("missing" in value)) return false;
  const { size, missing } = value;
  return isPosition(size) && Array.isArray(missing) && missing.every((range) => isRangeBelow(range, size));
}

function isRangeBelow(range: unknown, size: number): boolean {
  if (!Array.isArray(range)) return false;
  const [position, end]: unknown[] = range;
  return isPosition(position) && isPosition(end) && position <= end && end <= size;
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns the position after the last downloaded byte. All bytes after it are missing. */
function endOfContent({ size, missing }: Journal): number {
  return missing.toReversed().reduce((end, [position, rangeEnd]) => (rangeEnd === end ? position : end), size);
}
