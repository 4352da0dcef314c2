import pg, { type PoolClient } from "pg";
import { tableName } from "./checksums.ts";
import type { TableColumns } from "./format.ts";

/** Returns the SQL condition that the object `oid` of the system catalogue belongs to an extension. */
const ofExtension = (catalogue: string, oid: string): string =>
  `exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = ${oid} and deptype = 'e')`;

/**
 * The tables in which running servers store each other's leases and borrowed units. A backup leaves them out: after a
 * restore, a server would wait for the leases of servers that do not run.
 */
export const TABLES_OF_RUNNING_SERVERS: readonly string[] = ["borrowed_units", "replica_leader", "replicas"];

const IN_PUBLIC = "'public'::regnamespace";

/**
 * Returns the tables of the schema, sorted by name, without generated columns. Partitions are part of their table. Unlogged
 * tables are left out, since their rows may be lost, and so are the tables of running servers.
 */
export async function listTables(client: PoolClient): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(
    `select relname as name, array(
       select attname::text from pg_attribute
       where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attname) as columns
     from pg_class
     where relnamespace = ${IN_PUBLIC} and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
       and relname <> all ($1) and not ${ofExtension("pg_class", "pg_class.oid")}
     order by relname`,
    [TABLES_OF_RUNNING_SERVERS],
  );
  return rows;
}

/** Returns the last value of every sequence, as text; null if it has returned none yet. */
export async function listSequences(client: PoolClient): Promise<{ name: string; last_value: string | null }[]> {
  const { rows } = await client.query<{ name: string; last_value: string | null }>(
    "select sequencename as name, last_value::text from pg_sequences where schemaname = 'public' order by 1",
  );
  return rows;
}

/** Counts the tables, sequences, views and functions of the schema. */
export async function countObjects(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select
       (select count(*) from pg_class where relnamespace = ${IN_PUBLIC} and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
          and not ${ofExtension("pg_class", "pg_class.oid")})
       + (select count(*) from pg_proc where pronamespace = ${IN_PUBLIC} and not ${ofExtension("pg_proc", "pg_proc.oid")})
       as count`,
  );
  return rows[0]?.count ?? 0;
}

/** Deletes all tables, views, sequences and functions of the schema, except those of extensions. */
export async function dropObjects(client: PoolClient): Promise<void> {
  // All names are read first, because one command may delete what another one names.
  await client.query(`
    do $$ declare command text; begin
      foreach command in array array(
        select format('drop %s if exists %s cascade', case relkind
            when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table'
            else 'table' end, pg_class.oid::regclass) from pg_class
        where relnamespace = ${IN_PUBLIC} and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
          and not ${ofExtension("pg_class", "pg_class.oid")}
        order by relkind in ('r', 'p') desc)
      || array(
        select format('drop routine if exists %s cascade', pg_proc.oid::regprocedure) from pg_proc
        where pronamespace = ${IN_PUBLIC} and not ${ofExtension("pg_proc", "pg_proc.oid")})
      loop execute command; end loop;
    end $$`);
}

/**
 * Prepares new tables for rows in any order: empties them, drops foreign keys and disables triggers, which would reject
 * rows or add some. Returns the statements that restore keys and triggers.
 */
export async function openTables(client: PoolClient): Promise<string[]> {
  await client.query("set constraints all immediate"); // what migrations left to the end of the transaction
  const triggers = await listTriggers(client);
  const keys = await listForeignKeys(client);
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const tables = await listTables(client);
  await client.query(`truncate ${tables.map(({ name }) => tableName(name)).join(", ")} restart identity`);
  return [
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...triggers.map(({ table, name }) => `alter table ${table} enable trigger ${name}`),
  ];
}

async function listTriggers(client: PoolClient): Promise<{ table: string; name: string }[]> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name
     from pg_trigger join pg_class on pg_class.oid = tgrelid
     where relnamespace = ${IN_PUBLIC} and not tgisinternal and tgparentid = 0 and tgenabled = 'O' order by 1, 2`,
  );
  return rows;
}

async function listForeignKeys(client: PoolClient): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = ${IN_PUBLIC} order by 1, 2`,
  );
  return rows;
}

/** Locks the tables against changes of their columns until the transaction ends. Reads and writes are not blocked. */
export async function lockTables(client: PoolClient, tables: readonly TableColumns[]): Promise<void> {
  await client.query(`lock table ${tables.map(({ name }) => tableName(name)).join(", ")} in access share mode`);
}

/** Sets a sequence to continue after its last value. */
export async function setSequence(client: PoolClient, name: string, lastValue: string): Promise<void> {
  await client.query("select setval($1::regclass, $2::bigint)", [`public.${pg.escapeIdentifier(name)}`, lastValue]);
}
