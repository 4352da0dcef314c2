import { readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";

/** Bytes of a file from `position` up to `end`, which is not among them. */
export type ByteRange = { position: number; readonly end: number };

/** What a partial file lacks. */
export type PartialFile = {
  missing: readonly ByteRange[];
  /** The ETag of the file on the hub that its bytes are from; null if it is not known. */
  etag: string | null;
  /** Whether a journal says what is missing. Without one it is all behind the last byte. */
  hasJournal: boolean;
};

/** The journal of a partial file, as it is stored beside it. */
type Journal = { size: number; etag: string | null; missing: [position: number, end: number][] };

const JOURNAL_SUFFIX = ".missing";
/** A journal that is being written; it replaces the old one when it is complete. */
const NEW_JOURNAL_SUFFIX = ".missing.new";

/** Returns what a partial file lacks of a file of `size` bytes. One that cannot be continued is deleted. */
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

/** Returns how many bytes of a partial file are here. */
export async function countBytesHere(path: string): Promise<number> {
  const journal = await readJournal(path);
  if (journal === undefined) return fileSize(path);
  if (journal === null) return 0;
  return journal.size - sumRanges(journal.missing.map(([position, end]) => ({ position, end })));
}

/** Returns the number of bytes of ranges. */
export function sumRanges(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { position, end }) => sum + end - position, 0);
}

/** Returns a range as `count` ranges of nearly equal size. */
export function splitRange({ position, end }: ByteRange, count: number): ByteRange[] {
  const at = (index: number) => position + Math.floor(((end - position) * index) / count);
  return Array.from({ length: count }, (_, index) => ({ position: at(index), end: at(index + 1) }));
}

/** Stores what a partial file lacks. Whatever ends the process in the meantime, the old journal or the new one is there. */
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

/** Deletes the journal of a partial file, which then holds a whole file or the beginning of one. */
export async function deleteJournal(path: string): Promise<void> {
  await rm(path + JOURNAL_SUFFIX, { force: true });
  await rm(path + NEW_JOURNAL_SUFFIX, { force: true });
}

/** Keeps the first bytes of a partial file, and deletes its journal. */
export async function keepBeginning(path: string, bytes: number): Promise<void> {
  await truncate(path, bytes);
  await deleteJournal(path);
}

/** Deletes a partial file and its journal. */
export async function deletePartialFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await deleteJournal(path);
}

/** Returns the name of the partial file that a journal belongs to; any other name as it is. */
export function toPartialName(name: string): string {
  const suffix = [NEW_JOURNAL_SUFFIX, JOURNAL_SUFFIX].find((end) => name.endsWith(end)) ?? "";
  return name.slice(0, name.length - suffix.length);
}

/** Returns the size of a file in bytes; 0 if there is none. */
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
  return Number.isSafeInteger(value.size) && Array.isArray(value.missing);
}

/** Returns where the content of a partial file ends: all bytes from there on are missing. */
function endOfContent({ size, missing }: Journal): number {
  return missing.toReversed().reduce((end, [position, rangeEnd]) => (rangeEnd === end ? position : end), size);
}
