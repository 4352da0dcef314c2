import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { copyBinaries, findBinaries } from "./binaries.ts";
import { claimOwnership } from "./ownership.ts";
import { findPlaces, type Places } from "./places.ts";

export type SocketTarget = { host: string; user: string; database: string };
export type EmbeddedPostgres = { target: SocketTarget; moved: string | null; stop(): Promise<void> };
export type EmbeddedOptions = { dataDir: string; settings?: Record<string, string> };

const USER = "feather";
const DATABASE = "feather";
const START_LIMIT = 30_000;
const STOP_LIMIT = 15_000;

/**
 * Starts the PostgreSQL that comes with the installation, on a Unix socket in the data folder, or adopts the one that
 * outlived a killed server. Throws with a sentence for the operator when the folder cannot be used, belongs to a
 * running server, or the platform has no binary.
 */
export async function startEmbeddedPostgres({ dataDir, settings = {} }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const native = findBinaries();
  const places = prepareFolder(dataDir);
  const bin = join(places.runAs ? copyBinaries(native, readableFolder(places)) : native, "bin");
  const data = join(places.home, "data");
  const admin: SocketTarget = { host: places.socket, user: USER, database: "postgres" };
  initialise(bin, data, places);
  if (!(await answers(admin))) await start(bin, data, places, settings, admin);
  const ownership = await claimOwnership(admin, dataDir);
  await ensureDatabase(admin);
  return {
    target: { ...admin, database: DATABASE },
    moved: places.moved ? places.home : null,
    stop: async () => {
      await ownership.release();
      await stop(data);
    },
  };
}

function prepareFolder(dataDir: string): Places {
  try {
    mkdirSync(dataDir, { recursive: true });
    return findPlaces(dataDir);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The data folder ${dataDir} cannot be used: ${reason} Set FEATHER_DATA_DIR to a folder that can be written.`, { cause });
  }
}

function readableFolder(places: Places): string {
  return join(places.home, "..", "postgres-programs");
}

function initialise(bin: string, data: string, { home, runAs }: Places): void {
  if (existsSync(join(data, "PG_VERSION"))) return;
  const beside = join(home, "data.new");
  rmSync(beside, { recursive: true, force: true });
  const args = ["-D", beside, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"];
  execFileSync(join(bin, "initdb"), args, { ...runAs, cwd: "/", stdio: "pipe" });
  renameSync(beside, data);
}

/** Tries until it answers: the shared memory of a killed server lingers for a moment. */
async function start(bin: string, data: string, places: Places, settings: Record<string, string>, admin: SocketTarget): Promise<void> {
  const options = { listen_addresses: "", max_connections: "100", fsync: "on", synchronous_commit: "on", full_page_writes: "on", ...settings };
  const args = ["-D", data, "-k", places.socket, ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const deadline = Date.now() + START_LIMIT;
  const logFile = join(places.home, "postgres.log");
  for (;;) {
    // It logs to a file, which outlives us. Its process group is its own: a Ctrl-C in the terminal is for the server,
    // which stops the database in order.
    const log = openSync(logFile, "a", 0o600);
    const child = spawn(join(bin, "postgres"), args, { ...places.runAs, cwd: "/", stdio: ["ignore", log, log], detached: true });
    closeSync(log);
    while (child.exitCode === null && child.signalCode === null) {
      if (await answers(admin)) {
        child.unref();
        return;
      }
      if (Date.now() > deadline) break;
      await sleep(30);
    }
    if (Date.now() > deadline) throw new Error(`The embedded PostgreSQL did not start. Its log is ${logFile}; the end of it:\n${readFileSync(logFile, "utf8").slice(-2000)}`);
    await sleep(200);
  }
}

async function answers(target: SocketTarget): Promise<boolean> {
  const client = new pg.Client({ ...target, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureDatabase(admin: SocketTarget): Promise<void> {
  const client = new pg.Client(admin);
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Fast shutdown: connections end, everything is written. */
async function stop(data: string): Promise<void> {
  const pid = postmasterPid(data);
  if (pid === null) return;
  signal(pid, "SIGINT");
  const deadline = Date.now() + STOP_LIMIT;
  while (postmasterPid(data) !== null && Date.now() < deadline) await sleep(20);
  if (postmasterPid(data) !== null) signal(pid, "SIGQUIT");
}

function postmasterPid(data: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it ended by itself
  }
}
