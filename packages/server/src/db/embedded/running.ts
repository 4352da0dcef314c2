import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { clientConfig } from "../connect.ts";
import { SUPERUSER } from "./cluster.ts";
import type { DatabaseLog } from "./log.ts";
import { type Cluster, type OwnPostmaster, runningPostmaster, spawnPostmaster, stopPostmaster } from "./postmaster.ts";
import { startFailure } from "./start-failure.ts";

/** Processes of a killed server may hold its memory or its lock for so long; until then it is worth another try. */
const LINGER_PATIENCE_MS = 30_000;
const STILL_HELD = /pre-existing shared memory block|lock file .* already exists|is another postmaster/i;
/** Starts that fail for another reason than that are tried so often. */
const MAX_FAILED_STARTS = 3;
/** A server that somebody else left running gets this long to answer before it is stopped: its socket may be gone. */
const SILENCE_PATIENCE_MS = 5_000;
/** A server that starts gets this long until it listens; recovery, which says that it is busy, takes as long as it takes. */
const STARTING_PATIENCE_MS = 60_000;
const POLL_MS = 50;

/**
 * Returns once the cluster's server takes connections. One that outlived a killed program is adopted; if it does not
 * answer it is stopped and started again; where there is none, one is started. One that was started here is never
 * stopped for being slow. Throws an Error with PostgreSQL's own words when it cannot start.
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

/** Milliseconds of silence that a server of somebody else is allowed. */
function patienceWith(socket: string, cluster: Cluster): number {
  if (socket === "") return STARTING_PATIENCE_MS; // it has not written yet where it will listen
  return socket === cluster.socket ? SILENCE_PATIENCE_MS : 0; // elsewhere it can never answer us
}

async function ask(cluster: Cluster): Promise<"ready" | "busy" | "silent"> {
  const client = maintenanceClient(cluster, "feather-start");
  try {
    await client.connect();
    return "ready";
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === "53300") return "ready"; // every connection is taken: it is there
    return code === "57P03" ? "busy" : "silent";
  } finally {
    await client.end().catch(() => {});
  }
}

/** A connection to the database that every cluster has. */
export function maintenanceClient(cluster: Cluster, name: string): pg.Client {
  const target = { host: cluster.socket, user: SUPERUSER, database: "postgres" };
  const client = new pg.Client({ ...clientConfig(target), application_name: name, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {}); // a server that stops tells its connections
  return client;
}
