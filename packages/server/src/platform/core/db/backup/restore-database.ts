import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Pool, PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { recreateSchema } from "../migrate.ts";
import { copyTarget, readChecksum, TEXT_SETTINGS } from "./checksums.ts";
import { type Backup, BackupError, type BackupTrailer, type TableColumns } from "./format.ts";
import { drain, readBackup } from "./read-backup.ts";
import {
  countObjects,
  dropObjects,
  listSequences,
  listTables,
  openTables,
  setSequence,
  TABLES_OF_RUNNING_SERVERS,
} from "./schema-objects.ts";

/** Options of restoring a backup. */
export type RestoreOptions = {
  /** Whether the database's contents are deleted first. Otherwise the database must be empty. */
  replace?: boolean;
  /** Called when everything is restored, before the transaction is committed. If it throws, nothing has changed. */
  beforeCommit?: () => void;
  /** The folder of migrations; by default that of this build. */
  migrationsFolder?: string;
};

/** The error for a database that is not empty. */
export class DatabaseNotEmptyError extends Error {
  override readonly name = "DatabaseNotEmptyError";
}

/** A restored backup, and the names of its tables that were left out, because no migration creates them. */
export type RestoredBackup = Backup & { leftOut: string[] };

/**
 * Restores a backup into the database, as its owner and in one transaction: afterwards the database has the rows and
 * checksums of the backup, or nothing has changed. Its schema is that of the backup, and must be migrated afterwards.
 * Tables that operators have added and those of running servers are left out. Throws a BackupError for a damaged backup,
 * and a DatabaseNotEmptyError.
 */
export async function restoreDatabase(
  pool: Pool,
  source: AsyncIterable<Buffer>,
  options: RestoreOptions = {},
): Promise<RestoredBackup> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(TEXT_SETTINGS);
    if (options.replace) await dropObjects(client);
    if ((await countObjects(client)) > 0) throw new DatabaseNotEmptyError("The database is not empty.");
    const restored = await restoreAll(client, source, options.migrationsFolder);
    options.beforeCommit?.();
    await client.query("commit");
    client.release();
    return restored;
  } catch (error) {
    // Closing the connection rolls back in any state.
    client.release(true);
    throw error;
  }
}

async function restoreAll(
  client: PoolClient,
  source: AsyncIterable<Buffer>,
  migrationsFolder?: string,
): Promise<RestoredBackup> {
  let names = new Set<string>();
  let closeTables: string[] = [];
  const backup = await readBackup(source, {
    begin: async ({ migrations, tables }) => {
      await recreateSchema(client, migrations, migrationsFolder);
      closeTables = await openTables(client);
      const created = await listTables(client);
      refuseOtherColumns(created, tables);
      names = new Set(created.map(({ name }) => name));
    },
    table: (table, rows) => (names.has(table.name) ? copyRows(client, table, rows) : drain(rows)),
  });
  await setSequences(client, backup.trailer.sequences);
  for (const statement of closeTables) await client.query(statement);
  const tables = backup.header.tables.filter(({ name }) => names.has(name));
  for (const table of tables) await compareChecksum(client, table, backup);
  const leftOut = backup.header.tables
    .map(({ name }) => name)
    .filter((name) => !names.has(name) && !TABLES_OF_RUNNING_SERVERS.includes(name)); // earlier versions saved these
  return { ...backup, leftOut };
}

/** Throws a BackupError if a table that the migrations created is missing in the backup or has other columns there. */
function refuseOtherColumns(created: readonly TableColumns[], stored: readonly TableColumns[]): void {
  const columnsOf = new Map(stored.map(({ name, columns }) => [name, columns.join(", ")]));
  for (const { name, columns } of created) {
    if (columnsOf.get(name) === columns.join(", ")) continue;
    throw new BackupError(
      `The backup cannot be restored: its table ${name} has the columns ${columnsOf.get(name) ?? "of no table"}, and the ` +
        `server's has ${columns.join(", ")}. Somebody changed the database that the backup was made of. Bring its table ` +
        "back into its form, and make another backup.",
    );
  }
}

async function setSequences(client: PoolClient, sequences: BackupTrailer["sequences"]): Promise<void> {
  const names = new Set((await listSequences(client)).map(({ name }) => name));
  for (const { name, last_value } of sequences)
    if (last_value !== null && names.has(name)) await setSequence(client, name, last_value);
}

async function copyRows(client: PoolClient, table: TableColumns, rows: AsyncIterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(rows), client.query(copyFrom(`copy ${copyTarget(table)} from stdin`)));
}

async function compareChecksum(client: PoolClient, table: TableColumns, { trailer }: Backup): Promise<void> {
  const expected = trailer.tables.find(({ name }) => name === table.name);
  const { rows, checksum } = await readChecksum(client, table);
  if (rows === expected?.rows && checksum === expected.checksum) return;
  throw new Error(
    `The table ${table.name} would not be what it was: ${rows} rows with the checksum ${checksum} instead of ` +
      `${expected?.rows} with ${expected?.checksum}. Nothing was changed.`,
  );
}
