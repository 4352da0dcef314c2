import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { clientConfig } from "../connect.ts";
import { SUPERUSER } from "./cluster.ts";
import type { DatabaseLog } from "./log.ts";
import { type Cluster, runningPostmaster, spawnPostmaster, stopPostmaster } from "./postmaster.ts";

// A server that fails to start is started again for this long: processes of a killed one may linger and hold its memory.
const START_PATIENCE_MS = 30_000;
// A live server without an answer gets this long before it is stopped, as its socket may be gone for good.
const SILENCE_PATIENCE_MS = 5_000;

/**
 * Returns once the cluster's server takes connections. One that outlived a killed program is adopted; if it does not
 * answer it is stopped and started again; where there is none, one is started.
 */
export async function ensureRunning(cluster: Cluster, log: DatabaseLog): Promise<void> {
  let started: ReturnType<typeof spawnPostmaster> | undefined;
  let startBefore = Date.now() + START_PATIENCE_MS;
  let silentSince = Date.now();
  for (; ; await sleep(50)) {
    const running = runningPostmaster(cluster);
    if (running !== undefined) {
      const answer = running.socket === cluster.socket ? await ask(cluster) : "foreign";
      if (answer === "ready") {
        if (started === undefined)
          log.info(`Adopted the database server that was still running (process ${running.pid}).`);
        return;
      }
      // It is recovering or shutting down, which takes as long as it takes.
      if (answer === "busy") silentSince = startBefore = Date.now() + START_PATIENCE_MS;
      else if (answer === "foreign" || Date.now() > silentSince + SILENCE_PATIENCE_MS)
        await restart(cluster, log, running.pid);
    } else if (started === undefined || started.hasExited()) {
      if (started !== undefined && Date.now() > startBefore)
        throw new Error(`The database server in ${cluster.data} does not start. It said:\n${started.log()}`);
      if (started !== undefined) await sleep(200);
      started = spawnPostmaster(cluster);
      silentSince = Date.now();
    }
  }
}

async function restart(cluster: Cluster, log: DatabaseLog, pid: number): Promise<void> {
  log.warn(`The database server that was still running (process ${pid}) does not answer; it is started again.`);
  await stopPostmaster(cluster);
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
