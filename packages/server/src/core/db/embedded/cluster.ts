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
 * Ensures that the cluster has an initialised data directory and returns its path. Throws an Error when another major
 * version of PostgreSQL created it.
 */
export function ensureDataDirectory(cluster: string, binaries: Binaries, account: Account, durable: boolean): string {
  const data = join(cluster, "data");
  if (!existsSync(join(data, "PG_VERSION"))) initialise(data, cluster, binaries, account, durable);
  const version = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  if (version === majorVersionOf(binaries)) return data;
  throw new Error(
    `The database in ${data} was made by PostgreSQL ${version}; this installation brings ${majorVersionOf(binaries)}, ` +
      "which cannot read it. Start the version of the server that made it, make a backup there " +
      "(packages/server/src/commands/backup.ts), and restore it here into a new data folder (FEATHER_DATA_DIR).",
  );
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
