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
  /** Longer statements are cancelled. */
  statementMs: number;
  /** A transaction whose client says nothing for longer is ended, and its locks with it. */
  idleTransactionMs: number;
};

/** Of servers: others wait for the locks of one that stands still in a transaction. */
export const DEFAULT_TIMEOUTS: SessionTimeouts = { statementMs: 30_000, idleTransactionMs: 15_000 };
/** Of operators' commands, which work through whole tables. */
export const NO_TIMEOUTS: SessionTimeouts = { statementMs: 0, idleTransactionMs: 0 };

const SILENCE_MARGIN_MS = 5_000;

/** Options of the connection pool. */
export type ConnectOptions = {
  /** Maximum number of connections; 10 by default. */
  maxConnections?: number;
  /** What ends statements and transactions that take too long; `DEFAULT_TIMEOUTS` by default. */
  timeouts?: SessionTimeouts;
  /** A connection is given up when PostgreSQL is silent for so much longer than a statement may take; 5,000 by default. */
  silenceMarginMs?: number;
  /** How transactions that ended with a deadlock are retried; three attempts by default. */
  retry?: RetryOptions;
  /** Called when an idle connection breaks. The pool replaces it. */
  onConnectionError?: (error: Error) => void;
  /** Called when a query has ended. */
  onQuery?: (query: EndedQuery) => void;
};

/** A query that has ended: its text, in which parameters stand as `$1`, and how long it took, in milliseconds. */
export type EndedQuery = { text: string; durationMs: number; failed: boolean };

/** Connections of a pool, and queries that wait for one. */
export type PoolState = { inUse: number; idle: number; waiting: number };

/** An open connection pool. */
export type DatabaseConnection = {
  db: Database;
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
};

/** Opens a connection pool. It connects on the first query, so an unreachable server is only noticed then. */
export function connectDatabase(target: DatabaseTarget, options: ConnectOptions = {}): DatabaseConnection {
  let closing = false;
  const reportError = (error: Error) => {
    // While closing, the server may report its own shutdown on a connection.
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
    // Kysely ends only a pool that it has used.
    if (!pool.ended) await pool.end();
  };
  return { db, pool, close };
}

/**
 * Sets the time limits of a new connection, by a query, because poolers refuse them as parameters of the connection. Throws
 * an Error when it leads to a standby, which would refuse every change for as long as it is kept.
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
  // Otherwise a query to a machine that has gone would wait for a quarter of an hour, and hold its connection.
  const { stream } = (client as unknown as { connection: { stream: Duplex & { setTimeout(ms: number): void } } })
    .connection;
  stream.setTimeout(statementMs + silenceMarginMs);
  stream.once("timeout", () => stream.destroy(new Error("Connection terminated: PostgreSQL does not answer")));
}

/** How the connections of a pool are used now. */
export const readPoolState = ({ totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});

/** After so long without data, it is asked whether the machine of PostgreSQL is still there. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Options of one `pg` connection. For a socket, environment variables such as PGPORT and PGSSLMODE are overridden. */
export function clientConfig(target: DatabaseTarget): pg.ClientConfig {
  if ("connectionString" in target)
    return {
      connectionString: target.connectionString,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    };
  return { host: target.host, port: 5432, user: target.user, database: target.database, password: "", ssl: false };
}

// As in the generated schema: int8 is a number, numeric a string, date "YYYY-MM-DD", timestamptz a Date.
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
