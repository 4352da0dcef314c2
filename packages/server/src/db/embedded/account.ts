import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/** The system user a process runs as; undefined: the one that runs this program. */
export type Account = { uid: number; gid: number } | undefined;

// PostgreSQL refuses to run as root; `nobody` exists everywhere and owns nothing.
const NOBODY = { uid: 65534, gid: 65534 };

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Who runs the database: the user itself; as root the owner of an existing cluster, else `nobody`. */
export function databaseAccount(clusterDirectory: string): Account {
  if (!isRoot()) return undefined;
  const owner = statSync(clusterDirectory, { throwIfNoEntry: false });
  return owner === undefined || owner.uid === 0 ? NOBODY : { uid: owner.uid, gid: owner.gid };
}

const READ = 0o4;
const RUN = 0o1;

/**
 * Whether the account may pass through every directory down to `path`; where `path` is a file, also read and run it.
 * Goes by the mode bits, so always true for the user itself.
 */
export function canReach(account: Account, path: string): boolean {
  return obstacleFor(account, path) === undefined;
}

/** Like `canReach`, for a file that is only read. */
export function canRead(account: Account, path: string): boolean {
  return obstacleFor(account, path, READ) === undefined;
}

/** The file or directory nearest to the root that keeps the account from `path`; undefined where nothing does. */
export function obstacleFor(account: Account, path: string, fileBits: number = READ | RUN): string | undefined {
  if (account === undefined) return undefined;
  let obstacle: string | undefined;
  for (let at = path; ; at = dirname(at)) {
    const found = statSync(at);
    const bits = found.isDirectory() ? RUN : fileBits;
    if ((permissions(account, found) & bits) !== bits) obstacle = at;
    if (at === dirname(at)) return obstacle;
  }
}

function permissions(account: { uid: number; gid: number }, file: Stats): number {
  if (file.uid === account.uid) return file.mode >> 6;
  if (file.gid === account.gid) return file.mode >> 3;
  return file.mode;
}

/** Whether `path` is a real directory (no link) of this owner that nobody else can enter. */
export function isPrivateDirectory(path: string, uid: number): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
}
