import pg, { type PoolClient } from "pg";
import type { TableColumns } from "./format.ts";

/** Settings with which the rows of a table as text are the same on every server. They apply until the transaction ends. */
export const TEXT_SETTINGS = `
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local timezone = 'UTC';
  set local extra_float_digits = 1;
  set local bytea_output = 'hex';
  set local client_encoding = 'UTF8';
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;`;

/**
 * Returns the number of rows of a table, and the sum of the first 60 bits of their SHA-256, which does not depend on their
 * order. Generated columns are left out, since they follow from the others.
 */
export async function readChecksum(
  client: PoolClient,
  { name, columns }: TableColumns,
): Promise<{ rows: number; checksum: string }> {
  const row = `row(${[...columns].sort().map(pg.escapeIdentifier).join(", ")})::text`;
  const { rows } = await client.query<{ rows: number; checksum: string }>(
    `select count(*) as rows,
       coalesce(sum(('x' || left(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as checksum
     from ${tableName(name)}`,
  );
  const [result] = rows;
  if (result === undefined) throw new Error(`PostgreSQL counts no rows of ${name}.`);
  return result;
}

/** Returns the name of a table or sequence of the schema, for SQL. */
export const tableName = (name: string): string => `public.${pg.escapeIdentifier(name)}`;

/** Returns the table and its columns, for COPY. */
export const copyTarget = ({ name, columns }: TableColumns): string =>
  `${tableName(name)} (${columns.map(pg.escapeIdentifier).join(", ")})`;

/** Returns the query of the table's rows, for COPY: it reads partitioned tables only as a query. */
export const copySource = ({ name, columns }: TableColumns): string =>
  `(select ${columns.map(pg.escapeIdentifier).join(", ")} from ${tableName(name)})`;
