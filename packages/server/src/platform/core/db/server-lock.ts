import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { clientConfig, type DatabaseTarget } from "./connect.ts";
import { refuseStandby } from "./errors.ts";
import { LOCKS } from "./locks.ts";

/** Long enough for PostgreSQL to notice that the previous server was killed. */
const ACQUIRE_TIMEOUT_MS = 10_000;
const RETRY_INTERVAL_MS = 200;
const RECONNECT_DELAY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
const APPLICATION_NAME = "feather-server";
/** PostgreSQL truncates application names to this many bytes. */
const MAX_NAME_LENGTH = 63;

type Options = {
  /** Whether other servers that share the lock may work on the database too. */
  shared?: boolean;
  log: { info(message: string): void; warn(message: string): void };
  /** Called once if another server has taken the lock while the connection was broken, so that this one must stop. */
  onLost(error: Error): void;
  /** Called with each new connection that holds the lock, before the lock is used. */
  onConnected?(client: pg.Client): Promise<void>;
  timeoutMs?: number;
};

/** The lock of a server on its database. */
export type ServerLock = { release(): Promise<void> };

/**
 * Locks the database for this process. Units, limits and running deployments of a server that works alone are counted in
 * its memory, so no other server may use the database; replicas share the lock. The lock belongs to a dedicated connection,
 * which is reopened when it breaks. Throws an Error that names the server that has the lock.
 */
export async function acquireServerLock(target: DatabaseTarget, options: Options): Promise<ServerLock> {
  const { log, onLost } = options;
  let released = false;
  let client = await connectAndLock(target, options);
  const watch = () => {
    client.once("end", () => void reacquire());
  };
  async function reacquire(): Promise<void> {
    if (released) return;
    log.warn("The connection that holds the database for this server broke; taking it again.");
    while (!released) {
      try {
        client = await connectAndLock(target, options);
        if (released) return void (await client.end());
        log.info("This server holds the database again.");
        return watch();
      } catch (error) {
        if (error instanceof DatabaseTakenError) return onLost(error);
        await sleep(RECONNECT_DELAY_MS, undefined, { ref: false });
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

class DatabaseTakenError extends Error {}

async function connectAndLock(
  target: DatabaseTarget,
  { shared = false, timeoutMs = ACQUIRE_TIMEOUT_MS, onConnected }: Options,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...clientConfig(target),
    application_name: `${APPLICATION_NAME} ${process.pid}@${hostname()}`.slice(0, MAX_NAME_LENGTH),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => {}); // `end` follows
  const lock = shared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
  try {
    await client.connect();
    // A standby has its own locks, which do not protect the primary.
    refuseStandby((await client.query<{ is_standby: boolean }>("select pg_is_in_recovery() as is_standby")).rows);
    for (const deadline = Date.now() + timeoutMs; ; await sleep(RETRY_INTERVAL_MS)) {
      const { rows } = await client.query<{ taken: boolean }>(`select ${lock}($1) as taken`, [LOCKS.server]);
      if (rows[0]?.taken === true) break;
      if (Date.now() > deadline) throw await createTakenError(client, shared);
    }
    await onConnected?.(client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function createTakenError(client: pg.Client, shared: boolean): Promise<DatabaseTakenError> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and pg_locks.database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32 | objid::bigint) = $1`,
    [LOCKS.server],
  );
  const holder = rows[0]?.name.startsWith(`${APPLICATION_NAME} `)
    ? ` (process ${rows[0].name.slice(APPLICATION_NAME.length + 1)})`
    : "";
  return new DatabaseTakenError(
    `The database is in use by another server${holder}. ${shared ? ALONE_TEXT : REPLICAS_TEXT} ` +
      "A server whose machine died holds the database until PostgreSQL notices the broken connection.",
  );
}

const ALONE_TEXT =
  "That one has no FEATHER_REPLICA_ADDRESS, so it works on its database alone. Stop it, and start it again with one.";
const REPLICAS_TEXT =
  "Stop the other one, set DATABASE_URL or FEATHER_DATA_DIR to another database, or give each server a " +
  "FEATHER_REPLICA_ADDRESS: then several may work on one database.";
