import { execFileSync, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { type Binaries, PROGRAM_ENVIRONMENT } from "./binaries.ts";

/** A data directory and the settings to run it. */
export type Cluster = {
  directory: string;
  data: string;
  socket: string;
  binaries: Binaries;
  account: Account;
  settings: Record<string, string>;
};

/**
 * A database server that this process has started. `log` returns its output since then, `spawnError` why it could not be
 * executed.
 */
export type SpawnedPostmaster = {
  pid: number | undefined;
  hasExited(): boolean;
  spawnError(): string | undefined;
  log(): string;
};

/**
 * Returns the live database server in postmaster.pid. Its socket may differ from ours, and is empty while the server
 * starts.
 */
export function findRunningPostmaster(cluster: Pick<Cluster, "data">): { pid: number; socket: string } | undefined {
  const lines = readIfExists(join(cluster.data, "postmaster.pid"))?.split("\n");
  if (!lines) return undefined;
  const pid = Number(lines[0]);
  return commandOf(pid).includes(cluster.data) ? { pid, socket: lines[4] ?? "" } : undefined;
}

/** Returns the content of a file; undefined if it is missing: the server deletes it when it stops. */
function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Starts the server detached, so that Ctrl-C in the terminal does not stop it while this process still needs it. It writes
 * postgres.log in the cluster's directory; `log` returns the part since this start.
 */
export function spawnPostmaster(cluster: Cluster): SpawnedPostmaster {
  removeStalePid(cluster);
  const path = join(cluster.directory, "postgres.log");
  const log = openLog(path);
  const settings = Object.entries(cluster.settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(
    join(cluster.binaries.directory, "bin", "postgres"),
    ["-D", cluster.data, "-k", cluster.socket, "-c", "listen_addresses=", ...settings],
    { ...cluster.account, cwd: "/", env: PROGRAM_ENVIRONMENT, detached: true, stdio: ["ignore", log.file, log.file] },
  );
  closeSync(log.file);
  child.unref();
  let failure: string | undefined;
  child.on("error", (error) => {
    failure = error.message;
  });
  return {
    pid: child.pid,
    hasExited: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
    spawnError: () => failure,
    log: () => readFileSync(path).subarray(log.start).toString("utf8").trim(),
  };
}

/** Stops the server, and kills it after 25 seconds. Running transactions are rolled back. */
export async function stopPostmaster(cluster: Pick<Cluster, "data">): Promise<void> {
  const running = findRunningPostmaster(cluster);
  if (running === undefined) return;
  for (const [signal, timeoutMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 2_000],
  ] as const) {
    kill(running.pid, signal);
    if (await waitUntilStopped(cluster, running.pid, timeoutMs)) return;
  }
  throw new Error(`The database server (process ${running.pid}) did not end, not even when it was killed.`);
}

async function waitUntilStopped(cluster: Pick<Cluster, "data">, pid: number, timeoutMs: number): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(20))
    if (findRunningPostmaster(cluster)?.pid !== pid) return true;
  return false;
}

function kill(pid: number, signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

// Removes postmaster.pid if its process is not a PostgreSQL server: after a reboot the pid may belong to another program,
// and PostgreSQL would refuse to start. Remaining processes of a killed server are still detected by their shared memory.
function removeStalePid(cluster: Cluster): void {
  if (findRunningPostmaster(cluster) === undefined) rmSync(join(cluster.data, "postmaster.pid"), { force: true });
}

const MAX_LOG_BYTES = 5_000_000;

function openLog(path: string): { file: number; start: number } {
  const file = openSync(path, "a", 0o600);
  const start = fstatSync(file).size;
  if (start < MAX_LOG_BYTES) return { file, start };
  closeSync(file);
  return { file: openSync(path, "w", 0o600), start: 0 };
}

/** Returns a process's command line; empty if it has exited or is a zombie. */
function commandOf(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 0) return "";
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}
