import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { MINUTE_MS } from "../../time.ts";
import { clientConfig } from "../connect.ts";
import { SUPERUSER } from "./cluster.ts";
import type { DatabaseLog } from "./log.ts";
import {
  type Cluster,
  findRunningPostmaster,
  type SpawnedPostmaster,
  spawnPostmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { createStartError } from "./start-failure.ts";

/** How long starts are retried while processes of a killed server still hold its memory or its lock. */
const LINGER_TIMEOUT_MS = 30_000;
const STILL_HELD_PATTERN = /pre-existing shared memory block|lock file .* already exists|is another postmaster/i;
/** Number of attempts when a start fails for any other reason. */
const MAX_FAILED_STARTS = 3;
/** Time limit for an adopted server to respond before it is stopped: its socket may be gone. */
const RESPONSE_TIMEOUT_MS = 5_000;
/** Time limit for a starting server to listen. Crash recovery, during which it reports being busy, has no limit. */
const START_TIMEOUT_MS = MINUTE_MS;
const POLL_MS = 50;
/** Time limit for a connection to a server that has responded: long, for a busy machine. */
const CONNECT_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Resolves when the cluster's server accepts connections: adopts a running one, restarts one that does not respond, or
 * starts one. A server that was started here is not stopped for a slow recovery. Throws an Error with PostgreSQL's log if
 * it cannot start.
 */
export async function ensureRunning(cluster: Cluster, log: DatabaseLog): Promise<void> {
  const startedAt = Date.now();
  let spawned: SpawnedPostmaster | undefined;
  let failures = 0;
  let lastSignAt = startedAt;
  for (; ; await sleep(POLL_MS)) {
    const running = findRunningPostmaster(cluster);
    if (running === undefined && (spawned === undefined || spawned.hasExited())) {
      if (spawned !== undefined) {
        failures += 1;
        if (!canRetry(spawned, failures, startedAt)) throw createStartError(cluster, spawned);
        await sleep(Math.min(200 * failures, 1_000));
      }
      spawned = spawnPostmaster(cluster);
      lastSignAt = Date.now();
      continue;
    }
    const answer = running?.socket === cluster.socket ? await probe(cluster) : "silent";
    if (answer === "ready") {
      if (running !== undefined && running.pid !== spawned?.pid)
        log.info(`Adopted the database server that was still running (process ${running.pid}).`);
      return;
    }
    if (answer === "busy") lastSignAt = Date.now();
    const silentForMs = Date.now() - lastSignAt;
    if (spawned !== undefined && !spawned.hasExited()) {
      if (silentForMs < START_TIMEOUT_MS) continue;
      await stopPostmaster(cluster);
      throw createStartError(cluster, spawned);
    }
    if (running === undefined || silentForMs < silenceTimeoutMs(running.socket, cluster)) continue;
    log.warn(
      `The database server that was still running (process ${running.pid}) does not answer; it is started again.`,
    );
    await stopPostmaster(cluster);
    lastSignAt = Date.now();
  }
}

function canRetry(spawned: SpawnedPostmaster, failures: number, startedAt: number): boolean {
  if (spawned.spawnError() !== undefined) return false;
  return STILL_HELD_PATTERN.test(spawned.log())
    ? Date.now() < startedAt + LINGER_TIMEOUT_MS
    : failures < MAX_FAILED_STARTS;
}

/** Returns how long a server that another process has started may be silent, in milliseconds. */
function silenceTimeoutMs(socket: string, cluster: Cluster): number {
  if (socket === "") return START_TIMEOUT_MS; // it is starting and has not written its socket yet
  return socket === cluster.socket ? RESPONSE_TIMEOUT_MS : 0; // on another socket it cannot be reached
}

async function probe(cluster: Cluster): Promise<"ready" | "busy" | "silent"> {
  const client = createMaintenanceClient(cluster, "feather-start", PROBE_TIMEOUT_MS);
  try {
    await client.connect();
    return "ready";
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === "53300") return "ready"; // too many connections: it is running
    return code === "57P03" ? "busy" : "silent";
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns a client for the `postgres` database, which exists in every cluster. */
export function createMaintenanceClient(
  cluster: Cluster,
  name: string,
  connectTimeoutMs: number = CONNECT_TIMEOUT_MS,
): pg.Client {
  const target = { host: cluster.socket, user: SUPERUSER, database: "postgres" };
  const client = new pg.Client({
    ...clientConfig(target),
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on("error", () => {}); // a stopping server reports an error on its connections
  return client;
}
