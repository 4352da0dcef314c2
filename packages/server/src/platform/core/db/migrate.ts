import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool, PoolClient } from "pg";
import { LOCKS } from "./locks.ts";

/** A migration as it is recorded in databases and backups. */
export type AppliedMigration = { name: string; checksum: string };
type Migration = AppliedMigration & { sql: string };

const DIRECTORY = join(import.meta.dirname, "migrations");
const CREATE_RECORDS = `create table if not exists schema_migrations (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`;

/**
 * Migrates the database to this build's schema. Returns the names of the applied migrations. Each migration commits
 * together with its record, so an interrupted run can be repeated, and several processes may run it at the same time.
 * Statements that PostgreSQL cannot run in a transaction cannot be part of a migration. Throws an Error if the database has
 * migrations that this build does not know, or that differ from this build's.
 */
export async function migrate(pool: Pool, directory: string = DIRECTORY): Promise<string[]> {
  const migrations = readMigrations(directory);
  await pool.query(CREATE_RECORDS).catch(ignoreRace);
  const applied: string[] = [];
  for (;;) {
    const name = await runTransaction(pool, (client) => applyNext(client, migrations));
    if (name === undefined) return applied;
    applied.push(name);
  }
}

/**
 * Creates the schema of these migrations in an empty database, in the transaction of `client`. They are not recorded:
 * restoring a backup restores the records too. Throws an Error if this build lacks one of the migrations.
 */
export async function recreateSchema(
  client: PoolClient,
  applied: readonly AppliedMigration[],
  directory: string = DIRECTORY,
): Promise<void> {
  refuseUnknownBackup(applied, directory);
  const names = new Set(applied.map(({ name }) => name));
  await client.query(CREATE_RECORDS);
  for (const { name, sql } of readMigrations(directory)) {
    if (!names.has(name)) continue;
    await client.query(sql);
    await client.query("set constraints all immediate"); // each migration used to be a transaction of its own
  }
}

// If two processes run "create table if not exists" at the same time, one of them fails although the table exists.
function ignoreRace(error: { code?: string }): void {
  if (error.code !== "23505" && error.code !== "42P07") throw error;
}

async function applyNext(client: PoolClient, migrations: Migration[]): Promise<string | undefined> {
  await client.query("set local statement_timeout = 0");
  await client.query("select pg_advisory_xact_lock($1)", [LOCKS.migration]);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "select name, checksum from schema_migrations order by name",
  );
  refuseUnknownMigrations(rows, migrations, DATABASE);
  const appliedNames = new Set(rows.map((row) => row.name));
  const next = migrations.find((migration) => !appliedNames.has(migration.name));
  if (next === undefined) return undefined;
  const transaction = await readTransaction(client);
  await client.query(next.sql).catch((cause: Error) => {
    throw new Error(`Migration ${next.name} failed and was rolled back: ${cause.message}`, { cause });
  });
  if ((await readTransaction(client)) !== transaction)
    throw new Error(
      `Migration ${next.name} ends its transaction, so it could be left half done: take "commit" or "rollback" out of it.`,
    );
  await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [next.name, next.checksum]);
  return next.name;
}

async function readTransaction(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  return rows[0]?.id;
}

/**
 * Throws an Error if this build cannot restore a backup with these migrations, because it lacks some of them or has others
 * of the same name.
 */
export function refuseUnknownBackup(applied: readonly AppliedMigration[], directory: string = DIRECTORY): void {
  refuseUnknownMigrations(applied, readMigrations(directory), {
    subject: "The backup",
    wayOut: "Restore it with that version, or a later one.",
  });
}

const DATABASE = {
  subject: "The database",
  wayOut:
    "Start the newer version again, or use another database. To go back to this version, restore a backup that was made " +
    "before the upgrade.",
};

function refuseUnknownMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
  { subject, wayOut }: { subject: string; wayOut: string },
): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  const unknown = applied.filter((row) => !known.has(row.name)).map((row) => row.name);
  if (unknown.length > 0)
    throw new Error(
      `${subject} was made by a newer version of the server: it holds ${unknown.join(", ")}, which this build does ` +
        `not know. ${wayOut}`,
    );
  const changed = applied.find((row) => known.get(row.name) !== row.checksum);
  if (changed !== undefined)
    throw new Error(
      `${subject} holds migration ${changed.name} with another content than this build has. Applied migrations never ` +
        "change: restore the file, and put the change into a new migration.",
    );
}

function readMigrations(directory: string): Migration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      // Line ends differ in checkouts on Windows, and must not change the checksum.
      const sql = readFileSync(join(directory, file), "utf8").replaceAll("\r\n", "\n");
      return { name: file.slice(0, -".sql".length), checksum: createHash("sha256").update(sql).digest("hex"), sql };
    });
}

async function runTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    // Closing the connection rolls back in any state.
    client.release(true);
    throw error;
  }
}
