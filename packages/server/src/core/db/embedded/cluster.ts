import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { type Binaries, majorVersionOf } from "./binaries.ts";

/** PostgreSQL role that owns the cluster. */
export const SUPERUSER = "feather";

/** Environment of PostgreSQL's programs: nothing inherited, since PG* variables would take effect. */
export const PROGRAM_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/**
 * Throws an Error with what to do when another major version of PostgreSQL made the cluster's database. Only reads.
 */
export function refuseOtherMajorVersion(cluster: string, binaries: Binaries): void {
  const data = join(cluster, "data");
  const [made, brought] = [readMajorVersion(data), majorVersionOf(binaries)];
  if (made === undefined || made === brought) return;
  throw new Error(
    `The database in ${data} was made by PostgreSQL ${made}. This version of the server brings PostgreSQL ${brought}, which ` +
      "cannot read it. Nothing was changed. To bring the database over:\n" +
      "  1. With the version of the server that ran before, save the database, with the same settings:\n" +
      "     npx node packages/server/src/commands/backup.ts <file>\n" +
      `  2. Keep the old database under another name: mv ${data} ${data}-${made}\n` +
      "  3. With this version, restore it, with the same settings, and start the server:\n" +
      "     npx node packages/server/src/commands/restore.ts <file>",
  );
}

/** Ensures that the cluster has an initialised data directory, and returns its path. */
export function ensureDataDirectory(cluster: string, binaries: Binaries, account: Account, durable: boolean): string {
  const data = join(cluster, "data");
  if (readMajorVersion(data) === undefined) initialise(data, cluster, binaries, account, durable);
  return data;
}

/** The major version of PostgreSQL that made a data directory; undefined where there is none. */
function readMajorVersion(data: string): string | undefined {
  const file = join(data, "PG_VERSION");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

// Initialised under a temporary name and then renamed, so that an interruption leaves no partial database.
function initialise(data: string, cluster: string, binaries: Binaries, account: Account, durable: boolean): void {
  for (const name of readdirSync(cluster))
    if (name.startsWith("data.") && !isRunning(Number(name.slice("data.".length))))
      rmSync(join(cluster, name), { recursive: true, force: true });
  const unfinished = `${data}.${process.pid}`;
  const options = ["-D", unfinished, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", ...(durable ? [] : ["--no-sync"])];
  // PostgreSQL's built-in C.UTF-8 sorts the same on every system, without system locales.
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
    // Another server was faster: use its database; ownership is decided later.
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
