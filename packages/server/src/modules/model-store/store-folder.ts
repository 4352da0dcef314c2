import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import { sizeOf } from "./download.ts";

/** What stays free of the disk, for the database above all. */
const SPARE = 256 * 1024 * 1024;
const HOUR = 3_600_000;
const PART_KEPT = 14 * 24 * HOUR;

export type FreeBytes = (folder: string) => Promise<number>;

const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Where model files lie: complete ones under their SHA-256, so that equal ones lie there once, and parts of others. */
export function createStoreFolder(folder: string, free: FreeBytes = freeBytes) {
  const parts = join(folder, "parts");
  const pathOf = (sha256: string) => join(folder, `${sha256}.gguf`);
  return {
    pathOf,
    /** Where a file grows until it is complete. */
    partOf({ model_id, revision, file, sha256 }: Part): string {
      const name =
        sha256 ??
        createHash("sha256")
          .update(JSON.stringify([model_id, revision, file]))
          .digest("hex");
      return join(parts, `${name}.part`);
    },
    holds: async (sha256: string, size: number) => (await sizeOf(pathOf(sha256))) === size,
    /** Keeps a file from being deleted until it is noted whose it is. */
    touch: (sha256: string, now: Date) => utimes(pathOf(sha256), now, now),
    /** Bytes that are missing for a file of this size; 0 where it fits. */
    async room(part: string, size: number): Promise<{ needed: number; free: number; fits: boolean }> {
      await mkdir(parts, { recursive: true });
      const needed = Math.max(0, size - (await sizeOf(part)));
      const available = Math.max(0, (await free(folder)) - SPARE);
      return { needed, free: available, fits: needed <= available };
    },
    keep: (part: string, sha256: string) => rename(part, pathOf(sha256)),
    /** Deletes complete files that are not among these, and parts that have not grown for weeks. Young ones may be about to be noted. */
    async sweep(kept: ReadonlySet<string>, now: Date): Promise<void> {
      const age = async (path: string) => now.getTime() - (await stat(path)).mtimeMs;
      const old = async (path: string, limit: number) => (await age(path).catch(() => 0)) > limit;
      for (const name of await entries(folder)) {
        const path = join(folder, name);
        const isKept = !name.endsWith(".gguf") || kept.has(name.slice(0, -".gguf".length));
        if (!isKept && (await old(path, HOUR))) await rm(path, { force: true });
      }
      for (const name of await entries(parts))
        if (await old(join(parts, name), PART_KEPT)) await rm(join(parts, name), { force: true });
    },
    remove: (sha256: string) => rm(pathOf(sha256), { force: true }),
  };
}

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

type Part = { model_id: string; revision: string; file: string; sha256: string | null };
export type StoreFolder = ReturnType<typeof createStoreFolder>;
