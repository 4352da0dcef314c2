import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "../../core/time.ts";
import { fileSize } from "./download.ts";

/** Disk space that stays free, mainly for the database. */
const RESERVED_BYTES = 256 * 1024 * 1024;
const PART_MAX_AGE_MS = 14 * 24 * HOUR_MS;

/** Returns the free bytes on the disk of a folder. */
export type GetFreeBytes = (folder: string) => Promise<number>;

const freeBytes: GetFreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * The folder of model files: complete ones are named by their SHA-256, so equal files are stored once; partial ones are
 * in `parts`.
 */
export function createStoreFolder(folder: string, free: GetFreeBytes = freeBytes) {
  const parts = join(folder, "parts");
  const pathOf = (sha256: string) => join(folder, `${sha256}.gguf`);
  return {
    pathOf,
    /** Returns the path of a partial file. */
    partPath({ repository, revision, file, sha256 }: Part): string {
      const name =
        sha256 ??
        createHash("sha256")
          .update(JSON.stringify([repository, revision, file]))
          .digest("hex");
      return join(parts, `${name}.part`);
    },
    has: async (sha256: string, size: number) => (await fileSize(pathOf(sha256))) === size,
    /** Updates the file's time, so that it is not deleted before its owner is stored. */
    touch: (sha256: string, now: Date) => utimes(pathOf(sha256), now, now),
    /** Returns the bytes still to download for a file of this size, the free ones, and whether they are enough. */
    async checkSpace(partFile: string, size: number): Promise<{ needed: number; free: number; fits: boolean }> {
      await mkdir(parts, { recursive: true });
      const needed = Math.max(0, size - (await fileSize(partFile)));
      const available = Math.max(0, (await free(folder)) - RESERVED_BYTES);
      return { needed, free: available, fits: needed <= available };
    },
    moveToStore: (partFile: string, sha256: string) => rename(partFile, pathOf(sha256)),
    /**
     * Deletes complete files that are not in use, and partial ones that have not changed for two weeks. Recent files
     * are kept, since their owner may not be stored yet.
     */
    async deleteUnused(usedChecksums: ReadonlySet<string>, now: Date): Promise<void> {
      const age = async (path: string) => now.getTime() - (await stat(path)).mtimeMs;
      const isOlderThan = async (path: string, limit: number) => (await age(path).catch(() => 0)) > limit;
      for (const name of await listEntries(folder)) {
        const path = join(folder, name);
        const isUsed = !name.endsWith(".gguf") || usedChecksums.has(name.slice(0, -".gguf".length));
        if (!isUsed && (await isOlderThan(path, HOUR_MS))) await rm(path, { force: true });
      }
      for (const name of await listEntries(parts))
        if (await isOlderThan(join(parts, name), PART_MAX_AGE_MS)) await rm(join(parts, name), { force: true });
    },
    remove: (sha256: string) => rm(pathOf(sha256), { force: true }),
  };
}

const listEntries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

type Part = { repository: string; revision: string; file: string; sha256: string | null };
export type StoreFolder = ReturnType<typeof createStoreFolder>;
