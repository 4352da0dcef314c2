import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** A file system in memory, which Linux has. */
const MEMORY = "/dev/shm";
/** A suite's database takes 17 MB, and each worker has a few of them. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;

/**
 * Returns the parent of the folder of the tests' PostgreSQL: in memory if there is room, otherwise the system's temporary
 * folder. Each suite creates and drops a database of 900 files, which takes a disk two to ten times the processor time.
 */
export function chooseDatabaseFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    // PostgreSQL's programs may be copied there, where its account cannot reach the installed ones.
    const isExecutable = !/^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync("/proc/mounts", "utf8"));
    return isExecutable && bavail * bsize >= MIN_FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir(); // there is none
  }
}
