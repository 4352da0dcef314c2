import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const CHUNK = Buffer.alloc(64 * 1024);

/** A disk that can be filled. */
export type FillableDisk = {
  /** What it is, for a report. */
  name: string;
  /** Takes all room that is left. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
};

/**
 * Mounts a file system of that size, in memory, at a new folder. Returns null where that is not allowed: it takes the rights
 * of root.
 */
export function mountSmallDisk(folder: string, bytes: number): (FillableDisk & { unmount(): void }) | null {
  mkdirSync(folder, { mode: 0o711 });
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], { stdio: "ignore" });
  if (status !== 0) return null;
  chmodSync(folder, 0o711);
  const ballast = join(folder, "ballast");
  return {
    name: "a disk of its own",
    fill: () => fillDisk(ballast),
    free: () => rmSync(ballast, { force: true }),
    unmount: () => void execFileSync("umount", [folder]),
  };
}

/**
 * The closest to a full disk without the rights to mount one: forbids the processes of PostgreSQL to write beyond the first
 * bytes of any file. It ends at the first commit then, and cannot recover.
 */
export function limitFileSizes(listProcesses: () => number[]): FillableDisk {
  const limit = (size: string) => {
    for (const id of listProcesses()) spawnSync("prlimit", ["--pid", String(id), `--fsize=${size}:unlimited`]);
  };
  return {
    name: "a limit to the size of files, since no disk can be mounted here",
    fill: () => limit("1"),
    free: () => limit("unlimited"),
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
