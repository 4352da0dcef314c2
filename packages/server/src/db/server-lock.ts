import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { clientConfig, type DatabaseTarget } from "./connect.ts";
import { LOCKS } from "./locks.ts";

/** PostgreSQL may not have noticed yet that the previous server was killed. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 200;
const RECONNECT_MS = 1_000;
const NAME = "feather-server";
/** PostgreSQL truncates application names to this many bytes. */
const MAX_NAME_LENGTH = 63;

type Options = {
  log: { info(message: string): void; warn(message: string): void };
  /** Called once when another server has taken the database: this one must stop. */
  onLost(error: Error): void;
  patienceMs?: number;
};

/** The lock of one server on its database. */
export type ServerLock = { release(): Promise<void> };

/**
 * Locks the database for this process, because units, limits and running deployments are counted in the memory of one
 * server. The lock belongs to a dedicated connection, which is reopened when it breaks. Throws an Error that names the
 * other server when one has the lock.
 */
export async function takeServerLock(target: DatabaseTarget, options: Options): Promise<ServerLock> {
  const { log, onLost, patienceMs = PATIENCE_MS } = options;
  let released = false;
  let client = await connectAndLock(target, patienceMs);
  const watch = () => {
    client.once("end", () => void regain());
  };
  async function regain(): Promise<void> {
    if (released) return;
    log.warn("The connection that holds the database for this server broke; taking it again.");
    while (!released) {
      try {
        client = await connectAndLock(target, patienceMs);
        if (released) return void (await client.end());
        log.info("This server holds the database again.");
        return watch();
      } catch (error) {
        if (error instanceof DatabaseTaken) return onLost(error);
        await sleep(RECONNECT_MS, undefined, { ref: false });
      }
    }
  }
  watch();
  return {
    release: async () => {
      released = true;
      await client.end().catch(() => {});
    },
  };
}

class DatabaseTaken extends Error {}

async function connectAndLock(target: DatabaseTarget, patienceMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    ...clientConfig(target),
    application_name: `${NAME} ${process.pid}@${hostname()}`.slice(0, MAX_NAME_LENGTH),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on("error", () => {}); // `end` follows
  try {
    await client.connect();
    for (const end = Date.now() + patienceMs; ; await sleep(RETRY_MS)) {
      const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
        LOCKS.server,
      ]);
      if (rows[0]?.taken === true) return client;
      if (Date.now() > end) throw await takenBy(client);
    }
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function takenBy(client: pg.Client): Promise<DatabaseTaken> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and pg_locks.database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32 | objid::bigint) = $1`,
    [LOCKS.server],
  );
  const who = rows[0]?.name.startsWith(`${NAME} `) ? ` (process ${rows[0].name.slice(NAME.length + 1)})` : "";
  return new DatabaseTaken(
    `The database is in use by another server${who}. One database serves one server at a time, because units, limits ` +
      "and deployments are counted in its memory. Stop the other one, or set DATABASE_URL or FEATHER_DATA_DIR to " +
      "another database. A server whose machine died holds it until PostgreSQL notices the broken connection.",
  );
}
