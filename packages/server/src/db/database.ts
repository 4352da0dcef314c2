import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { DB } from "./schema.generated.ts";

export type Database = Kysely<DB>;

/** Where PostgreSQL answers: an address, or a socket folder with user and database. */
export type ConnectionTarget = { connectionString: string } | { host: string; user: string; database: string };

export type Connection = { db: Database; pool: pg.Pool; close(): Promise<void> };

/** Opens a pool. Whole numbers arrive as numbers, decimals and plain days as text, moments as `Date`. */
export function connect(target: ConnectionTarget, options: { max?: number } = {}): Connection {
  const pool = new pg.Pool({ ...target, max: options.max ?? 10, statement_timeout: 30_000, types: { getTypeParser } });
  pool.on("error", () => {}); // idle connections are told when the database stops; the next query says so
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

const INT8 = 20;
const DATE = 1082;

function getTypeParser(oid: number, format?: "text" | "binary") {
  if (oid === INT8) return Number;
  if (oid === DATE) return String;
  return pg.types.getTypeParser(oid, format);
}
