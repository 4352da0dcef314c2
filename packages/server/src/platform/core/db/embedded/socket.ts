import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Account, isPrivateDirectory } from "./account.ts";
import { shortHash } from "./location.ts";

/** Parent of socket directories when the cluster's own path is too long for a socket. */
export const SOCKET_ROOT = "/tmp";

// Socket paths are limited to 103 bytes on macOS and 107 on Linux; "/.s.PGSQL.5432.lock" takes 19.
const MAX_DIRECTORY_BYTES = 84;

/**
 * Returns the directory of the database's socket. Only its owner can enter it, because the socket itself has no password.
 * Throws an Error if another user owns the directory.
 */
export function ensureSocketDirectory(cluster: string, account: Account, socketRoot: string): string {
  const defaultPath = join(cluster, "run");
  const path =
    Buffer.byteLength(defaultPath) <= MAX_DIRECTORY_BYTES
      ? defaultPath
      : join(socketRoot, `feather-${shortHash(cluster)}`);
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  try {
    mkdirSync(path, { mode: 0o700 });
    if (account !== undefined) chownSync(path, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (isPrivateDirectory(path, uid)) return path;
  throw new Error(
    `${path} is needed for the database's socket, but it is not a private directory of the user with id ${uid}: ` +
      "somebody else may have made it. Remove it, or set FEATHER_DATA_DIR to a folder with a shorter path.",
  );
}
