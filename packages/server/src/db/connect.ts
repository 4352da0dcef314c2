import { type Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { DEFAULT_RETRY, RetryingDatabase, type RetryOptions } from "./retry.ts";
import type { DB } from "./schema.generated.ts";

/** Typed access to the platform's database. */
export type Database = Kysely<DB>;

/** A server on a Unix socket: `host` is the directory that holds the socket. */
export type SocketConnection = { host: string; user: string; database: string };

/** Where the database is: a `postgres://` URL, or a Unix socket. */
export type DatabaseTarget = { connectionString: string } | SocketConnection;

export type ConnectOptions = {
  /** Most connections held at once; 10 by default. */
  maxConnections?: number;
  /** A statement that runs longer is cancelled; 30 000 by default, 0 for no limit. */
  statementTimeoutMs?: number;
  /** How transactions that PostgreSQL ended for a deadlock are tried again; three times by default. */
  retry?: RetryOptions;
  /** Told of connections that break while nobody waits for them. The pool replaces them by itself. */
  onConnectionError?: (error: Error) => void;
};

export type DatabaseConnection = {
  db: Database;
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
};

/** Opens a pool. Nothing is sent before the first query, so an unreachable server shows only then. */
export function connectDatabase(target: DatabaseTarget, options: ConnectOptions = {}): DatabaseConnection {
  let closing = false;
  const report = (error: Error) => {
    // While we close, the server's goodbye may arrive on a connection before its end does.
    if (!closing) options.onConnectionError?.(error);
  };
  const pool = new pg.Pool({
    ...clientConfig(target),
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 10_000,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: "feather",
    types: { getTypeParser: typeParser },
  });
  // Without a listener a connection that breaks, idle or in use, would end the process.
  pool.on("error", report);
  pool.on("connect", (client) => client.on("error", report));
  const db = new RetryingDatabase({ dialect: new PostgresDialect({ pool }) }, options.retry ?? DEFAULT_RETRY);
  const close = () => {
    closing = true;
    return db.destroy();
  };
  return { db, pool, close };
}

/** The settings of one `pg` connection. On a socket, what the environment says (PGPORT, PGSSLMODE) does not count. */
export function clientConfig(target: DatabaseTarget): pg.ClientConfig {
  if ("connectionString" in target) return { connectionString: target.connectionString };
  return { host: target.host, port: 5432, user: target.user, database: target.database, password: "", ssl: false };
}

// The types of the generated schema: int8 number, numeric string, date "YYYY-MM-DD", timestamptz Date.
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
