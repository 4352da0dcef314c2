import { createHash, randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { canReach, databaseAccount, isRoot, obstacleFor } from "./account.ts";
import type { DatabaseLog } from "./log.ts";

/** Parent of clusters whose account cannot enter the data folder. */
export const FALLBACK_ROOT = "/var/lib/feather";

const POINTER = "postgres.location";
/** Equal contents of these two files mean that data folder and cluster belong together. */
const PAIR_IN_DATA_FOLDER = "postgres.pair";
const PAIR_IN_CLUSTER = "data-folder.pair";

/** A short stable name for a path, where a name must be short or unique. */
export const shortHash = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16);

/**
 * Returns the directory of this data folder's database, created and owned by the account that runs PostgreSQL. That is
 * `<dataDir>/postgres`, or, when root's data folder cannot be entered by `nobody`, a directory below `fallbackRoot`
 * that a pointer file in the data folder names. Throws an Error for operators.
 */
export function clusterDirectory(dataDir: string, fallbackRoot: string, log: DatabaseLog): string {
  const home = usableFolder(dataDir);
  const pointer = join(home, POINTER);
  if (existsSync(pointer)) {
    const outside = reachable(pointedAt(pointer));
    checkPair(home, outside);
    return outside;
  }
  const inside = join(home, "postgres");
  if (existsSync(inside)) return reachable(ownedDirectory(inside));
  if (canReach(databaseAccount(inside), home)) return ownedDirectory(inside);
  usableFolder(fallbackRoot);
  const outside = join(fallbackRoot, `${basename(home)}-${shortHash(home)}`);
  if (existsSync(join(outside, "data"))) throw otherDatabase(home, outside);
  ownedDirectory(outside);
  checkPair(home, outside);
  writeFileSync(pointer, `${outside}\n`);
  log.info(
    `The database of ${home} is kept in ${outside}: PostgreSQL does not run as root, and the user it runs as cannot ` +
      `enter ${home}. The path is noted in ${pointer}.`,
  );
  return outside;
}

/** Throws when the account that runs the database cannot reach the directory. */
function reachable(directory: string): string {
  const account = databaseAccount(directory);
  const obstacle = obstacleFor(account, directory);
  if (account === undefined || obstacle === undefined) return directory;
  throw new Error(
    `The database in ${directory} runs as the user with id ${account.uid}, who may not pass through ${obstacle}. ` +
      `Let others pass: chmod o+x ${obstacle}`,
  );
}

/** Throws when the two belong to different installations; writes the pair files if neither has one. */
function checkPair(home: string, outside: string): void {
  const [ours, theirs] = [join(home, PAIR_IN_DATA_FOLDER), join(outside, PAIR_IN_CLUSTER)];
  const [ourText, theirText] = [ours, theirs].map((file) =>
    existsSync(file) ? readFileSync(file, "utf8") : undefined,
  );
  if (ourText === undefined && theirText === undefined) {
    const text = `${randomBytes(16).toString("hex")}\n`;
    for (const file of [ours, theirs]) writeFileSync(file, text, { mode: 0o600 });
  } else if (ourText !== theirText) throw otherDatabase(home, outside);
}

const otherDatabase = (home: string, outside: string): Error =>
  new Error(
    `${outside} holds the database of another data folder than ${home}, perhaps of one that was at the same path ` +
      `before. To go on with that database, restore its data folder (secret.key, ${POINTER}, ${PAIR_IN_DATA_FOLDER}) ` +
      `to ${home}. To begin with an empty one, move ${outside} away.`,
  );

function pointedAt(pointer: string): string {
  const directory = readFileSync(pointer, "utf8").trim();
  if (existsSync(directory)) return directory;
  throw new Error(
    `${pointer} says that the database is in ${directory}, but nothing is there. Restore that directory, or delete ` +
      `${pointer} to begin with an empty database.`,
  );
}

/** Creates the folder if needed; other users may enter it, but not list it. */
function usableFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o711 });
    return realpathSync(path);
  } catch (cause) {
    throw unusable(path, cause);
  }
}

function ownedDirectory(path: string): string {
  try {
    mkdirSync(path, { mode: 0o700, recursive: true });
    const account = databaseAccount(path);
    if (account !== undefined) chownSync(path, account.uid, account.gid);
  } catch (cause) {
    throw unusable(path, cause);
  }
  const owner = statSync(path).uid;
  if (isRoot() || owner === process.getuid?.()) return path;
  throw new Error(
    `The database in ${path} belongs to the user with id ${owner}. Start the server as that user or as root, or set ` +
      "FEATHER_DATA_DIR to another folder.",
  );
}

const unusable = (path: string, cause: unknown): Error =>
  new Error(
    `The data folder cannot be used: ${path} cannot be created or written (${messageOf(cause)}). ` +
      "Set FEATHER_DATA_DIR to a folder that this user can write.",
    { cause },
  );

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
