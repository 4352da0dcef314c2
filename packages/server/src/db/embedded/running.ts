import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { clientConfig } from "../connect.ts";
import { SUPERUSER } from "./cluster.ts";
import type { DatabaseLog } from "./log.ts";
import { type Cluster, type OwnPostmaster, runningPostmaster, spawnPostmaster, stopPostmaster } from "./postmaster.ts";
import { startFailure } from "./start-failure.ts";

/** How long starts are retried while processes of a killed server still hold its memory or its lock. */
const LINGER_PATIENCE_MS = 30_000;
const STILL_HELD = /pre-existing shared memory block|lock file .* already exists|is another postmaster/i;
/** Number of attempts when a start fails for any other reason. */
const MAX_FAILED_STARTS = 3;
/** Time limit for an adopted server to respond before it is stopped: its socket may be gone. */
const SILENCE_PATIENCE_MS = 5_000;
/** Time limit for a starting server to listen. Crash recovery, during which it reports being busy, has no limit. */
const STARTING_PATIENCE_MS = 60_000;
const POLL_MS = 50;

/**
 * Returns once the cluster's server accepts connections: adopts a running one, restarts one that does not respond, or
 * starts one. A server started here is not stopped for slow recovery. Throws an Error with PostgreSQL's log when it
 * cannot start.
 */
export async function ensureRunning(cluster: Cluster, log: DatabaseLog): Promise<void> {
  const began = Date.now();
  let own: OwnPostmaster | undefined;
  let failures = 0;
  let lastSign = began;
  for (; ; await sleep(POLL_MS)) {
    const running = runningPostmaster(cluster);
    if (running === undefined && (own === undefined || own.hasExited())) {
      if (own !== undefined) {
        failures += 1;
        if (!mayTryAgain(own, failures, began)) throw startFailure(cluster, own);
        await sleep(Math.min(200 * failures, 1_000));
      }
      own = spawnPostmaster(cluster);
      lastSign = Date.now();
      continue;
    }
    const answer = running?.socket === cluster.socket ? await ask(cluster) : "silent";
    if (answer === "ready") {
      if (running !== undefined && running.pid !== own?.pid)
        log.info(`Adopted the database server that was still running (process ${running.pid}).`);
      return;
    }
    if (answer === "busy") lastSign = Date.now();
    const silentForMs = Date.now() - lastSign;
    if (own !== undefined && !own.hasExited()) {
      if (silentForMs < STARTING_PATIENCE_MS) continue;
      await stopPostmaster(cluster);
      throw startFailure(cluster, own);
    }
    if (running === undefined || silentForMs < patienceWith(running.socket, cluster)) continue;
    log.warn(
      `The database server that was still running (process ${running.pid}) does not answer; it is started again.`,
    );
    await stopPostmaster(cluster);
    lastSign = Date.now();
  }
}

function mayTryAgain(own: OwnPostmaster, failures: number, began: number): boolean {
  if (own.spawnError() !== undefined) return false;
  return STILL_HELD.test(own.log()) ? Date.now() < began + LINGER_PATIENCE_MS : failures < MAX_FAILED_STARTS;
}

/** Milliseconds without a response that a server started by somebody else is allowed. */
function patienceWith(socket: string, cluster: Cluster): number {
  if (socket === "") return STARTING_PATIENCE_MS; // it is starting and has not written its socket yet
  return socket === cluster.socket ? SILENCE_PATIENCE_MS : 0; // on another socket it cannot be reached
}

async function ask(cluster: Cluster): Promise<"ready" | "busy" | "silent"> {
  const client = maintenanceClient(cluster, "feather-start");
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

/** A client for the `postgres` database, which exists in every cluster. */
export function maintenanceClient(cluster: Cluster, name: string): pg.Client {
  const target = { host: cluster.socket, user: SUPERUSER, database: "postgres" };
  const client = new pg.Client({ ...clientConfig(target), application_name: name, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {}); // a stopping server reports an error on its connections
  return client;
}
