import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/** System user of a child process; undefined for the user of this process. */
export type Account = { uid: number; gid: number } | undefined;

// PostgreSQL refuses to run as root; `nobody` exists everywhere and owns nothing.
const NOBODY = { uid: 65534, gid: 65534 };

/** Returns whether this process runs as root. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Returns the account that runs the database: the current user; for root, the owner of an existing cluster, otherwise
 * `nobody`.
 */
export function chooseDatabaseAccount(clusterDirectory: string): Account {
  if (!isRoot()) return undefined;
  const owner = statSync(clusterDirectory, { throwIfNoEntry: false });
  return owner === undefined || owner.uid === 0 ? NOBODY : { uid: owner.uid, gid: owner.gid };
}

const READ = 0o4;
const RUN = 0o1;

/**
 * Returns whether the account may enter every directory down to `path` and, for a file, read and execute it. Reads mode
 * bits; always true for the current user.
 */
export function canReach(account: Account, path: string): boolean {
  return findObstacle(account, path) === undefined;
}

/** Returns whether the account can reach a file and read it. */
export function canRead(account: Account, path: string): boolean {
  return findObstacle(account, path, READ) === undefined;
}

/**
 * Returns the file or directory closest to the root that keeps the account from reaching `path`; undefined if there is
 * none.
 */
export function findObstacle(account: Account, path: string, fileBits: number = READ | RUN): string | undefined {
  if (account === undefined) return undefined;
  let obstacle: string | undefined;
  for (let at = path; ; at = dirname(at)) {
    const found = statSync(at);
    const bits = found.isDirectory() ? RUN : fileBits;
    if ((permissionBits(account, found) & bits) !== bits) obstacle = at;
    if (at === dirname(at)) return obstacle;
  }
}

function permissionBits(account: { uid: number; gid: number }, file: Stats): number {
  if (file.uid === account.uid) return file.mode >> 6;
  if (file.gid === account.gid) return file.mode >> 3;
  return file.mode;
}

/** Returns whether `path` is a directory (not a link) of this owner that no other user can enter. */
export function isPrivateDirectory(path: string, uid: number): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
}
