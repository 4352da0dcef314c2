import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SocketConnection } from "./connect.ts";
import { findBinaries, majorVersionOf } from "./embedded/binaries.ts";
import { dataDirectoryOf, finishUpgrade, readMajorVersion, replaceDataDirectory } from "./embedded/cluster.ts";
import { openEarlierBinaries } from "./embedded/earlier-binaries.ts";
import { ensureClusterDirectory, FALLBACK_ROOT } from "./embedded/location.ts";
import type { DatabaseLog } from "./embedded/log.ts";
import { stopPostmaster } from "./embedded/postmaster.ts";
import { startEmbeddedPostgres } from "./embedded.ts";

/** Temporary names in the cluster's directory: of the new database while it is filled, and of the old version's programs. */
const NEW_FOLDER = "upgrade";
const PROGRAMS_PREFIX = "upgrade-programs.";

type Options = {
  dataDir: string;
  /** The folder with the programs of the version that created the database. */
  postgres: string;
  log: DatabaseLog;
  /** Copies everything from the old database into the new, empty one. Both are running. */
  copy(from: SocketConnection, to: SocketConnection): Promise<void>;
};

/** The result of an upgrade: the two versions, and the path of the old database. */
export type UpgradedDatabase = { from: string; to: string; kept: string };

/**
 * Upgrades an embedded database of an earlier major version of PostgreSQL: runs it with the programs of that version,
 * copies it into a new database next to it, and then renames the new one. The old database is not deleted, and keeps its
 * name until everything is copied. Throws an Error for operators; the next start or attempt is not affected by the failed
 * one.
 */
export async function upgradeEmbeddedPostgres({ dataDir, postgres, log, copy }: Options): Promise<UpgradedDatabase> {
  const cluster = ensureClusterDirectory(dataDir, FALLBACK_ROOT, log);
  finishUpgrade(cluster);
  const from = refuseOtherThanEarlier(dataDirectoryOf(cluster));
  const to = majorVersionOf(findBinaries());
  const programs = join(cluster, `${PROGRAMS_PREFIX}${process.pid}`);
  try {
    const binaries = openEarlierBinaries(postgres, from, programs);
    const old = await startEmbeddedPostgres({ dataDir, log, binaries });
    const next = await copyIntoNew(cluster, old.connection, { log, copy }).finally(old.stop);
    const kept = replaceDataDirectory(cluster, next);
    removeFolders(cluster, from);
    return { from, to, kept };
  } finally {
    rmSync(programs, { recursive: true, force: true });
  }
}

/** Copies a database, which this process owns, into a new one. Returns the data directory of the new one. */
async function copyIntoNew(
  cluster: string,
  from: SocketConnection,
  { log, copy }: Pick<Options, "log" | "copy">,
): Promise<string> {
  const folder = join(cluster, NEW_FOLDER);
  const data = dataDirectoryOf(join(folder, "postgres"));
  await stopPostmaster({ data }); // of a try that was killed
  rmSync(folder, { recursive: true, force: true });
  const next = await startEmbeddedPostgres({ dataDir: folder, log });
  try {
    await copy(from, next.connection);
  } catch (error) {
    await next.stop();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  await next.stop();
  return data;
}

/** Deletes temporary folders of this and earlier attempts, and copies of the old version's programs. */
function removeFolders(cluster: string, from: string): void {
  for (const name of readdirSync(cluster))
    if (name === NEW_FOLDER || name.startsWith(PROGRAMS_PREFIX) || name.startsWith(`postgresql-${from}.`))
      rmSync(join(cluster, name), { recursive: true, force: true });
}

/** Returns the major version that created a data directory. Throws an Error if it is not older than the server's version. */
function refuseOtherThanEarlier(data: string): string {
  const [made, brought] = [readMajorVersion(data), majorVersionOf(findBinaries())];
  if (made === undefined)
    throw new Error(`There is no database in ${data}. Set FEATHER_DATA_DIR to the server's data folder.`);
  if (Number(made) < Number(brought)) return made;
  throw new Error(
    made === brought
      ? `The database in ${data} was made by PostgreSQL ${made}, as this version of the server brings it: start the server.`
      : `The database in ${data} was made by PostgreSQL ${made}, which is newer than that of this version of the server, ${brought}.`,
  );
}
