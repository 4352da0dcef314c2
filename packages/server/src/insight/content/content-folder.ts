import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Clock } from "../../platform/core/clock.ts";
import { messageOf } from "../../platform/core/errors/message-of.ts";
import type { ContentFile, ContentKind } from "./content-entry.ts";
import { parseContentFile } from "./parse-content-file.ts";

/** How long files are taken to be as they were read, in milliseconds. */
const MAX_AGE_MS = 2_000;
/** The largest file, in bytes: more than the largest text takes in UTF-8. */
const MAX_FILE_BYTES = 410_000;
/** How many files of each kind are read. Further ones are reported. */
const MAX_FILES = 500;
const FOLDERS = [
  { kind: "post", path: "content/blog" },
  { kind: "page", path: "content/pages" },
] as const satisfies readonly { kind: ContentKind; path: string }[];

/** A file that is not shown, and why. `file` is its path in the data folder. */
export type ContentProblem = { readonly file: string; readonly problem: string };
/** The files of the data folder: those that can be shown, and the others. */
export type FolderContent = { readonly entries: readonly ContentFile[]; readonly problems: readonly ContentProblem[] };

/** What was read of a file, and which state of the file it was. */
type ReadFile = { readonly stamp: string; readonly result: ContentFile | ContentProblem };

type Deps = { dataDir: string; clock: Clock; log: Pick<Logger, "warn"> };

/**
 * Returns a function that reads the posts and pages of the data folder. Files that have not changed are not read again, and
 * the folder is looked at every two seconds at most. What is wrong with a file is logged once.
 */
export function createContentFolder({ dataDir, clock, log }: Deps): () => Promise<FolderContent> {
  let known = new Map<string, ReadFile>();
  let reading: { at: number; content: Promise<FolderContent> } | null = null;

  async function readAll(): Promise<FolderContent> {
    const found = new Map<string, ReadFile>();
    const problems: ContentProblem[] = [];
    for (const { kind, path } of FOLDERS)
      for (const [index, name] of (await listFiles(dataDir, path, problems)).entries()) {
        const file = `${path}/${name}`;
        const before = known.get(file);
        const read = index < MAX_FILES ? await readChanged({ dataDir, kind, file, name }, before) : tooMany(file);
        found.set(file, read);
        if ("problem" in read.result && read.stamp !== before?.stamp)
          log.warn(read.result, "a file of the content folder is not shown");
      }
    known = found;
    const results = [...found.values()].map(({ result }) => result);
    return {
      entries: results.filter((result): result is ContentFile => !("problem" in result)),
      problems: [...problems, ...results.filter((result): result is ContentProblem => "problem" in result)],
    };
  }

  return () => {
    const now = clock.now().getTime();
    if (reading === null || Math.abs(now - reading.at) >= MAX_AGE_MS) reading = { at: now, content: readAll() };
    return reading.content;
  };
}

/** Returns the names of the Markdown files of a folder; none if there is no such folder. Adds to `problems` if it cannot be read. */
async function listFiles(dataDir: string, folder: string, problems: ContentProblem[]): Promise<string[]> {
  try {
    return (await readdir(join(dataDir, folder)))
      .filter((name) => name.endsWith(".md") && !name.startsWith("."))
      .sort();
  } catch (error) {
    if (!isMissing(error)) problems.push({ file: folder, problem: `It cannot be read: ${messageOf(error)}` });
    return [];
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

const tooMany = (file: string): ReadFile => ({
  stamp: "too many",
  result: { file, problem: "There are more than 500 files." },
});

type FilePlace = { dataDir: string; kind: ContentKind; file: string; name: string };

/** Reads a file, unless it is as it was before. */
async function readChanged({ dataDir, kind, file, name }: FilePlace, before?: ReadFile): Promise<ReadFile> {
  const path = join(dataDir, file);
  try {
    // Links are followed: Kubernetes mounts files as such.
    const found = await stat(path);
    const { mtime, size, ino } = found;
    const stamp = `${mtime.getTime()} ${size} ${ino}`;
    if (before?.stamp === stamp) return before;
    // A pipe or a device would never end.
    if (!found.isFile()) return { stamp, result: { file, problem: "It is no file." } };
    if (size > MAX_FILE_BYTES) return { stamp, result: { file, problem: "It is larger than 410,000 bytes." } };
    return { stamp, result: parse(kind, file, name, await readFile(path, "utf8"), mtime) };
  } catch (error) {
    return { stamp: messageOf(error), result: { file, problem: `It cannot be read: ${messageOf(error)}` } };
  }
}

function parse(kind: ContentKind, file: string, name: string, source: string, changedAt: Date): ReadFile["result"] {
  try {
    return parseContentFile(kind, name, source, changedAt);
  } catch (error) {
    return { file, problem: messageOf(error) };
  }
}
