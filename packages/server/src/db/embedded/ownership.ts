import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const LOCK = 4_203_000;

/**
 * Makes this process the one that uses the database's folder, for as long as a connection of its own lives. When the
 * process is killed the connection ends and with it the claim, so nothing has to be cleaned up.
 */
export async function claimOwnership(target: pg.ClientConfig, dataDir: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ ...target, application_name: `feather ${process.pid}` });
  client.on("error", () => {}); // the database stops before we let go
  await client.connect();
  // The connection of a server killed this moment may need a little to be noticed.
  for (const wait of [0, 100, 300, 600, 1000]) {
    await sleep(wait);
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [LOCK]);
    if (rows[0]?.mine) return { release: () => client.end().catch(() => {}) };
  }
  const owner = await client.query<{ name: string }>(
    "select a.application_name as name from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.objid = $1 and l.granted",
    [LOCK],
  );
  await client.end();
  const pid = owner.rows[0]?.name.replace("feather ", "process ") ?? "another process";
  throw new Error(`${dataDir} is in use by a running Feather (${pid}). Stop it, or set FEATHER_DATA_DIR to another folder.`);
}
