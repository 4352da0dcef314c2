import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const CHUNK = Buffer.alloc(64 * 1024);

/** A disk that can be filled. */
export type SmallDisk = {
  /** Takes all room that is left; again, if some has become free. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
  unmount(): void;
};

/**
 * Mounts a file system of that size, in memory, at a new folder. Returns null where that is not allowed: it takes the rights
 * of root.
 */
export function mountSmallDisk(folder: string, bytes: number): SmallDisk | null {
  mkdirSync(folder, { mode: 0o711 });
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], { stdio: "ignore" });
  if (status !== 0) return null;
  chmodSync(folder, 0o711);
  const ballast = join(folder, "ballast");
  return {
    fill: () => fillDisk(ballast),
    free: () => rmSync(ballast, { force: true }),
    unmount: () => void execFileSync("umount", [folder]),
  };
}

/** Writes to a file until the disk is full. */
function fillDisk(path: string): void {
  const file = openSync(path, "a");
  try {
    for (;;) writeSync(file, CHUNK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
