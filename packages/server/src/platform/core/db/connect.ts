import type { Duplex } from "node:stream";
import { type Kysely, type LogEvent, PostgresDialect } from "kysely";
import pg from "pg";
import { refuseStandby } from "./errors.ts";
import { DEFAULT_RETRY, RetryingDatabase, type RetryOptions } from "./retry.ts";
import type { DB } from "./schema.generated.ts";

/** Typed access to the platform's database. */
export type Database = Kysely<DB>;

/** A PostgreSQL server on a Unix socket: `host` is the directory of the socket. */
export type SocketConnection = { host: string; user: string; database: string };

/** Location of the database: a `postgres://` URL, or a Unix socket. */
export type DatabaseTarget = { connectionString: string } | SocketConnection;

/** Time limits of a session, in milliseconds; 0 for none. */
export type SessionTimeouts = {
  /** The longest time of a statement. Longer statements are cancelled. */
  statementMs: number;
  /**
   * The longest time that a client may be idle in a transaction. Then the transaction is ended, and its locks are released.
   */
  idleTransactionMs: number;
};

/** The limits of servers. Without them, other servers could wait for the locks of a process that has stopped responding. */
export const DEFAULT_TIMEOUTS: SessionTimeouts = { statementMs: 30_000, idleTransactionMs: 15_000 };
/** The limits of operators' commands, which work through whole tables. */
export const NO_TIMEOUTS: SessionTimeouts = { statementMs: 0, idleTransactionMs: 0 };

const SILENCE_MARGIN_MS = 5_000;

/** Options of the connection pool. */
export type ConnectOptions = {
  /** Maximum number of connections; 10 by default. */
  maxConnections?: number;
  /** The time limits of statements and transactions; `DEFAULT_TIMEOUTS` by default. */
  timeouts?: SessionTimeouts;
  /**
   * The connection is closed if PostgreSQL sends nothing for this much longer than a statement may take, in milliseconds;
   * 5,000 by default.
   */
  silenceMarginMs?: number;
  /** How transactions are retried that were aborted because of a deadlock; three attempts by default. */
  retry?: RetryOptions;
  /** Called when an idle connection breaks. The pool replaces it. */
  onConnectionError?: (error: Error) => void;
  /** Called when a query has ended. */
  onQuery?: (query: EndedQuery) => void;
};

/** A query that has ended: its text with placeholders such as `$1`, and its duration in milliseconds. */
export type EndedQuery = { text: string; durationMs: number; failed: boolean };

/** The number of connections of a pool by state, and the number of queries that wait for one. */
export type PoolState = { inUse: number; idle: number; waiting: number };

/** An open connection pool. */
export type DatabaseConnection = {
  db: Database;
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
};

/** Opens a connection pool. It connects on the first query, so an unreachable server is noticed only then. */
export function connectDatabase(target: DatabaseTarget, options: ConnectOptions = {}): DatabaseConnection {
  let closing = false;
  const reportError = (error: Error) => {
    // While the pool is closing, the server may report its own shutdown on a connection.
    if (!closing) options.onConnectionError?.(error);
  };
  const pool = new pg.Pool({
    ...clientConfig(target),
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 10_000,
    onConnect: (client) => prepareSession(client, target, options),
    application_name: "feather",
    types: { getTypeParser: typeParser },
  });
  // Without a listener, an error on a connection would crash the process.
  pool.on("error", reportError);
  pool.on("connect", (client) => client.on("error", reportError));
  const { onQuery } = options;
  const log = (event: LogEvent) =>
    onQuery?.({
      text: event.query.sql,
      durationMs: event.queryDurationMillis,
      failed: event.level === "error",
    });
  const dialect = new PostgresDialect({ pool });
  const config = onQuery === undefined ? { dialect } : { dialect, log };
  const db = new RetryingDatabase(config, options.retry ?? DEFAULT_RETRY);
  const close = async () => {
    closing = true;
    await db.destroy();
    // Kysely closes a pool only if it has used it.
    if (!pool.ended) await pool.end();
  };
  return { db, pool, close };
}

/**
 * Sets the time limits of a new connection. This is done by a query, because poolers reject them as parameters of the
 * connection. Throws an Error if the connection leads to a standby, which would reject every change.
 */
async function prepareSession(
  client: pg.ClientBase,
  target: DatabaseTarget,
  { timeouts = DEFAULT_TIMEOUTS, silenceMarginMs = SILENCE_MARGIN_MS }: ConnectOptions,
): Promise<void> {
  const { statementMs, idleTransactionMs } = timeouts;
  const { rows } = await client.query<{ is_standby: boolean }>(
    `select pg_is_in_recovery() as is_standby, set_config('statement_timeout', $1, false),
       set_config('idle_in_transaction_session_timeout', $2, false)`,
    [String(statementMs), String(idleTransactionMs)],
  );
  refuseStandby(rows);
  if (statementMs === 0 || !("connectionString" in target)) return;
  // Without this limit, a query to a machine that no longer exists would hold its connection for a quarter of an hour.
  const { stream } = (client as unknown as { connection: { stream: Duplex & { setTimeout(ms: number): void } } })
    .connection;
  stream.setTimeout(statementMs + silenceMarginMs);
  stream.once("timeout", () => stream.destroy(new Error("Connection terminated: PostgreSQL does not answer")));
}

/** Returns how many connections of a pool are in use, and how many queries wait. */
export const readPoolState = ({ totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});

/** After this long without data, TCP checks whether the database's machine still responds, in milliseconds. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * Returns the options of one `pg` connection. For a socket, environment variables such as PGPORT and PGSSLMODE are
 * overridden.
 */
export function clientConfig(target: DatabaseTarget): pg.ClientConfig {
  if ("connectionString" in target)
    return {
      connectionString: target.connectionString,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    };
  return { host: target.host, port: 5432, user: target.user, database: target.database, password: "", ssl: false };
}

// The types agree with the generated schema: int8 is a number, numeric a string, date "YYYY-MM-DD", timestamptz a Date.
const INT8 = 20;
const DATE = 1082;
const NUMERIC = 1700;

function typeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (oid === INT8) return safeInteger;
  if (oid === DATE || oid === NUMERIC) return String;
  return pg.types.getTypeParser(oid, format ?? "text");
}

function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`The database returned ${value}, too large to be exact here.`);
  return number;
}
