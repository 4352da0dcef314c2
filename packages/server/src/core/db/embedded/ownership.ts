import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { LOCKS } from "../locks.ts";
import { createMaintenanceClient } from "./ensure-running.ts";
import type { Cluster } from "./postmaster.ts";

// PostgreSQL may not have noticed yet that the previous server was killed.
const LOCK_TIMEOUT_MS = 2_000;
const OWNER_NAME_PREFIX = "feather-owner-";

/**
 * Locks the cluster for this process and returns the connection that holds the lock. Throws an Error naming the data
 * folder and the owning process when another server has it.
 */
export async function acquireOwnership(cluster: Cluster, dataDir: string): Promise<Client> {
  const client = createMaintenanceClient(cluster, `${OWNER_NAME_PREFIX}${process.pid}`);
  try {
    await client.connect();
    for (const deadline = Date.now() + LOCK_TIMEOUT_MS; ; await sleep(100)) {
      const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
        LOCKS.databaseOwner,
      ]);
      if (rows[0]?.taken === true) return client;
      if (Date.now() > deadline) throw await createOwnedError(client, dataDir);
    }
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function createOwnedError(client: Client, dataDir: string): Promise<Error> {
  const { rows } = await client.query<{ owner: string }>(
    `select application_name as owner from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = $1`,
    [LOCKS.databaseOwner],
  );
  const pid = rows[0]?.owner.slice(OWNER_NAME_PREFIX.length);
  return new Error(
    `The data folder ${dataDir} is in use by another server${pid ? ` (process ${pid})` : ""}. Stop that one, or set ` +
      "FEATHER_DATA_DIR to another folder for this one.",
  );
}
