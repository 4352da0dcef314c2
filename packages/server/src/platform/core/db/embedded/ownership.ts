import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { LOCKS } from "../locks.ts";
import { createMaintenanceClient } from "./ensure-running.ts";
import type { Cluster } from "./postmaster.ts";

/** How long to wait for another server to stop, in milliseconds. */
const RUNNING_OWNER_TIMEOUT_MS = 2_000;
/**
 * How long to wait until PostgreSQL notices that the previous server was killed, in milliseconds. Long enough for a busy
 * machine.
 */
const KILLED_OWNER_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 100;
const OWNER_NAME_PREFIX = "feather-owner-";

/**
 * Locks the cluster for this process and returns the connection that holds the lock. Throws an Error that names the data
 * folder and the owning process if another server has the lock.
 */
export async function acquireOwnership(cluster: Cluster, dataDir: string): Promise<Client> {
  const client = createMaintenanceClient(cluster, `${OWNER_NAME_PREFIX}${process.pid}`);
  try {
    await client.connect();
    for (const startedAt = Date.now(); ; await sleep(RETRY_INTERVAL_MS)) {
      const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
        LOCKS.databaseOwner,
      ]);
      if (rows[0]?.taken === true) return client;
      const owner = await findOwner(client);
      const timeoutMs = isRunning(owner) ? RUNNING_OWNER_TIMEOUT_MS : KILLED_OWNER_TIMEOUT_MS;
      if (Date.now() > startedAt + timeoutMs) throw createOwnedError(owner, dataDir);
    }
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Returns the process id of the server that has the lock; undefined if it has just been released. */
async function findOwner(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string }>(
    `select application_name as owner from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = $1`,
    [LOCKS.databaseOwner],
  );
  return rows[0]?.owner.slice(OWNER_NAME_PREFIX.length);
}

function isRunning(owner: string | undefined): boolean {
  if (owner === undefined) return false;
  try {
    return process.kill(Number(owner), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it belongs to another user
  }
}

function createOwnedError(owner: string | undefined, dataDir: string): Error {
  return new Error(
    `The data folder ${dataDir} is in use by another server${owner ? ` (process ${owner})` : ""}. Stop that one, or set ` +
      "FEATHER_DATA_DIR to another folder for this one.",
  );
}
