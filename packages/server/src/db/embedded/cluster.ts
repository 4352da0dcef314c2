import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { type Binaries, majorVersion } from "./programs.ts";

export const SUPERUSER = "feather";

/** What PostgreSQL's programs see of the environment: nothing of the caller's, whose PG* variables would count. */
export const PROGRAM_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/** Makes sure that an initialised data directory exists in the cluster's directory, and returns it. */
export function initialisedData(cluster: string, binaries: Binaries, account: Account, durable: boolean): string {
  const data = join(cluster, "data");
  if (!existsSync(join(data, "PG_VERSION"))) initialise(data, cluster, binaries, account, durable);
  const version = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  if (version === majorVersion(binaries)) return data;
  throw new Error(
    `The database in ${data} was made by PostgreSQL ${version}; this installation brings ${majorVersion(binaries)}, ` +
      "which cannot read it. Start the version of the server that made it, export the data with pg_dump, and import " +
      "it into a new data folder (FEATHER_DATA_DIR).",
  );
}

// Initialised beside its place and then renamed: whatever interrupts it leaves no half-made database behind.
function initialise(data: string, cluster: string, binaries: Binaries, account: Account, durable: boolean): void {
  for (const name of readdirSync(cluster))
    if (name.startsWith("data.") && !isRunning(Number(name.slice("data.".length))))
      rmSync(join(cluster, name), { recursive: true, force: true });
  const unfinished = `${data}.${process.pid}`;
  const options = ["-D", unfinished, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", ...(durable ? [] : ["--no-sync"])];
  // PostgreSQL's own C.UTF-8, which sorts alike on every system and needs none of its locales.
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
    // Another server was quicker: its database counts, and who may use it is decided later.
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
