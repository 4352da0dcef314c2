import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, statfs, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listPartPaths } from "../../../platform/core/models/split-files.ts";
import { HOUR_MS } from "../../../platform/core/time.ts";
import { listStoredNames } from "../model-files.ts";
import { countBytesHere, deletePartialFile, fileSize, toPartialName } from "./partial-file.ts";

/** Disk space in bytes that is kept free, mainly for the database. */
const RESERVED_BYTES = 256 * 1024 * 1024;
const PART_MAX_AGE_MS = 14 * 24 * HOUR_MS;
const CHECKSUM = /^[0-9a-f]{64}$/;

/** Returns the number of free bytes on the disk of a folder. */
export type GetFreeBytes = (folder: string) => Promise<number>;

/** Asks the operating system for the number of free bytes on the disk of a folder. */
export const readFreeBytes: GetFreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** The checksum of a complete file, and its path in the repository. */
type StoredName = { sha256: string; file: string };
/** Identifies a file that is being downloaded. */
export type PartialName = { repository: string; revision: string; file: string; sha256: string | null };

/**
 * Creates the store's folder of model files. Complete files are named by their checksum, so equal files are stored once.
 * The parts of a split file are in a folder of that name. Files that are being downloaded are in `parts`, files that are
 * being converted in `conversions`.
 */
export function createStoreFolder(folder: string, free: GetFreeBytes = readFreeBytes) {
  const parts = join(folder, "parts");
  const conversions = join(folder, "conversions");

  /** Returns the path that an engine loads: that of the file, or of the first part of a split file. */
  function pathOf({ sha256, file }: StoredName): string {
    const [first] = listStoredNames(file);
    return first === undefined ? join(folder, `${sha256}.gguf`) : join(folder, sha256, first);
  }

  /** Returns the path of the partial file, or of the folder with the parts of a split file. */
  function partialPath({ repository, revision, file, sha256 }: PartialName): string {
    const name =
      sha256 ??
      createHash("sha256")
        .update(JSON.stringify([repository, revision, file]))
        .digest("hex");
    return join(parts, `${name}.part`);
  }

  return {
    pathOf,
    /** Creates the folder of a partial file. Returns the paths that its parts are written to, in their order. */
    async preparePartial(name: PartialName): Promise<string[]> {
      const paths = listPartialPaths(partialPath(name), name.file);
      for (const path of paths.slice(0, 1)) await mkdir(dirname(path), { recursive: true });
      return paths;
    },
    has: async (name: StoredName, size: number) => (await sum(listPartPaths(pathOf(name)), fileSize)) === size,
    /** Updates the file's time of change, so that it is not deleted before the row that uses it is stored. */
    async touch(name: StoredName, now: Date): Promise<void> {
      for (const path of listPartPaths(pathOf(name))) await utimes(path, now, now);
    },
    /**
     * Returns the number of bytes still to download for a file of this size, the number of free bytes, and whether they are
     * enough.
     */
    async checkSpace(name: PartialName, size: number): Promise<{ needed: number; free: number; fits: boolean }> {
      await mkdir(parts, { recursive: true });
      const needed = Math.max(0, size - (await sum(listPartialPaths(partialPath(name), name.file), countBytesHere)));
      const available = Math.max(0, (await free(folder)) - RESERVED_BYTES);
      return { needed, free: available, fits: needed <= available };
    },
    /** Returns the number of needed and of free bytes, and whether they are enough. */
    async checkFree(needed: number): Promise<{ needed: number; free: number; fits: boolean }> {
      await mkdir(parts, { recursive: true });
      const available = Math.max(0, (await free(folder)) - RESERVED_BYTES);
      return { needed, free: available, fits: needed <= available };
    },
    /** Returns the folder for all files of a conversion. */
    conversionFolder: (pullId: string) => join(conversions, pullId),
    /** Deletes the folders of conversions that have ended. */
    async deleteConversions(unfinished: ReadonlySet<string>): Promise<void> {
      for (const name of await listEntries(conversions))
        if (!unfinished.has(name)) await removeTree(join(conversions, name));
    },
    /** Moves a file that was converted here into the store. Returns its size in bytes. */
    async addFile(path: string, name: StoredName): Promise<number> {
      const target = pathOf(name);
      await rename(path, target);
      return fileSize(target);
    },
    /** Moves a complete download into the store. */
    async moveToStore(name: PartialName, sha256: string): Promise<void> {
      const isSplit = listStoredNames(name.file).length > 0;
      const target = isSplit ? join(folder, sha256) : pathOf({ sha256, file: name.file });
      await rm(target, { recursive: true, force: true });
      await rename(partialPath(name), target);
    },
    /**
     * Deletes complete files that no row uses, and partial files that have not changed for two weeks and are not of a
     * paused download. Recent files are kept, since the row that uses them may not be stored yet.
     */
    async deleteUnused(
      { usedChecksums, paused }: { usedChecksums: ReadonlySet<string>; paused: readonly PartialName[] },
      now: Date,
    ): Promise<void> {
      const keptPaths = new Set(paused.map(partialPath));
      const isOlderThan = async (path: string, limit: number) => now.getTime() - (await lastChange(path)) > limit;
      for (const name of await listEntries(folder)) {
        const checksum = name.replace(/\.gguf$/, "");
        const isUsed = !CHECKSUM.test(checksum) || usedChecksums.has(checksum);
        if (!isUsed && (await isOlderThan(join(folder, name), HOUR_MS))) await removeTree(join(folder, name));
      }
      for (const name of new Set((await listEntries(parts)).map(toPartialName)))
        if (!keptPaths.has(join(parts, name)) && (await isOlderThan(join(parts, name), PART_MAX_AGE_MS))) {
          await removeTree(join(parts, name));
          await deletePartialFile(join(parts, name));
        }
    },
    /** Deletes a complete file, with all its parts. */
    async remove(sha256: string): Promise<void> {
      await removeTree(join(folder, `${sha256}.gguf`));
      await removeTree(join(folder, sha256));
    },
  };
}

export type StoreFolder = ReturnType<typeof createStoreFolder>;

const removeTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
const listEntries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

function listPartialPaths(path: string, file: string): string[] {
  const names = listStoredNames(file);
  return names.length === 0 ? [path] : names.map((name) => join(path, name));
}

async function sum(paths: readonly string[], count: (path: string) => Promise<number>): Promise<number> {
  const counts = await Promise.all(paths.map(count));
  return counts.reduce((total, bytes) => total + bytes, 0);
}

/**
 * Returns when a file, or the newest file in a folder, last changed, in milliseconds since 1970; infinity if it no longer
 * exists.
 */
async function lastChange(path: string): Promise<number> {
  const times = [path, ...(await listEntries(path)).map((name) => join(path, name))].map((name) =>
    stat(name).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    ),
  );
  return Math.max(...(await Promise.all(times)));
}
