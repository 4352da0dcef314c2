import { createHash } from "node:crypto";
import { chownSync, lstatSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** The user that PostgreSQL runs as when we are root, which it refuses to be: `nobody`. */
export const NOBODY = 65534;

export type Places = {
  /** The cluster and what belongs to it. */
  home: string;
  /** Folder of the socket, 0700, short enough for a socket address. */
  socket: string;
  /** The user to run as, when it is not ours. */
  runAs: { uid: number; gid: number } | undefined;
  /** Whether the cluster had to be put outside the data folder. */
  moved: boolean;
};

const SOCKET_LIMIT = 80; // the address holds 107 bytes, with the socket's own name in it

/** Decides where the database lives, and makes the folders. `dataDir` must exist. */
export function findPlaces(dataDir: string, root: boolean = process.getuid?.() === 0): Places {
  const real = realpathSync(dataDir);
  const runAs = root ? { uid: NOBODY, gid: NOBODY } : undefined;
  const moved = root && !othersMayEnter(real);
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 12);
  const home = moved ? join("/var/lib/feather", `${basename(dirname(real))}-${hash}`) : join(real, "postgres");
  ownFolder(home, runAs);
  if (moved) writeFileSync(join(real, "postgres.location"), `${home}\n`);
  const inside = join(home, "socket");
  const socket = Buffer.byteLength(inside) <= SOCKET_LIMIT ? inside : join(tmpdir(), `feather-${hash}`);
  ownFolder(socket, runAs);
  return { home, socket, runAs, moved };
}

/** Whether every folder down to this one lets other users pass. */
function othersMayEnter(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false;
  return path === dirname(path) || othersMayEnter(dirname(path));
}

function ownFolder(path: string, owner: { uid: number; gid: number } | undefined): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  try {
    mkdirSync(path, { mode: 0o700 });
    if (owner) chownSync(path, owner.uid, owner.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = lstatSync(path);
  const uid = owner?.uid ?? process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid) || (found.mode & 0o077) !== 0)
    throw new Error(`${path} belongs to somebody else or is open to others. Remove it, or choose another FEATHER_DATA_DIR.`);
}
