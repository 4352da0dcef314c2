import { createHash, randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { canReach, chooseDatabaseAccount, findObstacle, isRoot } from "./account.ts";
import type { DatabaseLog } from "./log.ts";

/** Parent of clusters whose account cannot enter the data folder. */
export const FALLBACK_ROOT = "/var/lib/feather";

const POINTER_FILE = "postgres.location";
/** If these two files have equal contents, data folder and cluster belong together. */
const DATA_FOLDER_PAIR_FILE = "postgres.pair";
const CLUSTER_PAIR_FILE = "data-folder.pair";

/** Returns a short stable name for a path, for places where a name must be short or unique. */
export const shortHash = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16);

/**
 * Returns the directory of this data folder's database, which the account that runs PostgreSQL owns. It is
 * `<dataDir>/postgres`. If `nobody` cannot enter root's data folder, it is a directory below `fallbackRoot` that a pointer
 * file in the data folder names. Throws an Error for operators.
 */
export function ensureClusterDirectory(dataDir: string, fallbackRoot: string, log: DatabaseLog): string {
  const dataFolder = ensureFolder(dataDir);
  const pointer = join(dataFolder, POINTER_FILE);
  if (existsSync(pointer)) {
    const externalDirectory = assertReachable(readPointer(pointer));
    checkPair(dataFolder, externalDirectory);
    return externalDirectory;
  }
  const defaultDirectory = join(dataFolder, "postgres");
  if (existsSync(defaultDirectory)) return assertReachable(ensureOwnedDirectory(defaultDirectory));
  if (canReach(chooseDatabaseAccount(defaultDirectory), dataFolder)) return ensureOwnedDirectory(defaultDirectory);
  ensureFolder(fallbackRoot);
  const externalDirectory = join(fallbackRoot, `${basename(dataFolder)}-${shortHash(dataFolder)}`);
  if (existsSync(join(externalDirectory, "data"))) throw differentInstallation(dataFolder, externalDirectory);
  ensureOwnedDirectory(externalDirectory);
  checkPair(dataFolder, externalDirectory);
  writeFileSync(pointer, `${externalDirectory}\n`);
  log.info(
    `The database of ${dataFolder} is kept in ${externalDirectory}: PostgreSQL does not run as root, and the user it runs as cannot ` +
      `enter ${dataFolder}. The path is noted in ${pointer}.`,
  );
  return externalDirectory;
}

/** Throws if the account that runs the database cannot reach the directory. */
function assertReachable(directory: string): string {
  const account = chooseDatabaseAccount(directory);
  const obstacle = findObstacle(account, directory);
  if (account === undefined || obstacle === undefined) return directory;
  throw new Error(
    `The database in ${directory} runs as the user with id ${account.uid}, who may not pass through ${obstacle}. ` +
      `Let others pass: chmod o+x ${obstacle}`,
  );
}

/** Throws if the two belong to different installations. Writes the pair files if neither has one. */
function checkPair(dataFolder: string, externalDirectory: string): void {
  const [dataFolderFile, clusterFile] = [
    join(dataFolder, DATA_FOLDER_PAIR_FILE),
    join(externalDirectory, CLUSTER_PAIR_FILE),
  ];
  const [dataFolderText, clusterText] = [dataFolderFile, clusterFile].map((file) =>
    existsSync(file) ? readFileSync(file, "utf8") : undefined,
  );
  if (dataFolderText === undefined && clusterText === undefined) {
    const text = `${randomBytes(16).toString("hex")}\n`;
    for (const file of [dataFolderFile, clusterFile]) writeFileSync(file, text, { mode: 0o600 });
  } else if (dataFolderText !== clusterText) throw differentInstallation(dataFolder, externalDirectory);
}

const differentInstallation = (dataFolder: string, externalDirectory: string): Error =>
  new Error(
    `${externalDirectory} holds the database of another data folder than ${dataFolder}, perhaps of one that was at the same path ` +
      `before. To go on with that database, restore its data folder (secret.key, ${POINTER_FILE}, ${DATA_FOLDER_PAIR_FILE}) ` +
      `to ${dataFolder}. To begin with an empty one, move ${externalDirectory} away.`,
  );

function readPointer(pointer: string): string {
  const directory = readFileSync(pointer, "utf8").trim();
  if (existsSync(directory)) return directory;
  throw new Error(
    `${pointer} says that the database is in ${directory}, but nothing is there. Restore that directory, or delete ` +
      `${pointer} to begin with an empty database.`,
  );
}

/** Creates the folder if needed. Other users may enter it, but not list it. */
function ensureFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o711 });
    return realpathSync(path);
  } catch (cause) {
    throw folderUnusable(path, cause);
  }
}

function ensureOwnedDirectory(path: string): string {
  try {
    mkdirSync(path, { mode: 0o700, recursive: true });
    const account = chooseDatabaseAccount(path);
    if (account !== undefined) chownSync(path, account.uid, account.gid);
  } catch (cause) {
    throw folderUnusable(path, cause);
  }
  const owner = statSync(path).uid;
  if (isRoot() || owner === process.getuid?.()) return path;
  throw new Error(
    `The database in ${path} belongs to the user with id ${owner}. Start the server as that user or as root, or set ` +
      "FEATHER_DATA_DIR to another folder.",
  );
}

const folderUnusable = (path: string, cause: unknown): Error =>
  new Error(
    `The data folder cannot be used: ${path} cannot be created or written (${messageOf(cause)}). ` +
      "Set FEATHER_DATA_DIR to a folder that this user can write.",
    { cause },
  );

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
