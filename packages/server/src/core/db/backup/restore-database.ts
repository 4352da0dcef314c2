import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Pool, PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { recreateSchema } from "../migrate.ts";
import { copyTarget, readChecksum, TEXT_SETTINGS } from "./checksums.ts";
import { type Backup, BackupError, type BackupHeader, type TableColumns } from "./format.ts";
import { readBackup } from "./read-backup.ts";
import { countObjects, dropObjects, listTables, openTables, setSequence } from "./schema-objects.ts";

/** Which database may be restored into. */
export type RestoreOptions = {
  /** Whether what the database holds is deleted first; otherwise it must be empty. */
  replace?: boolean;
  /** Called when all is restored, before it takes effect; when it throws, nothing has changed. */
  beforeCommit?: () => void;
  /** The folder of this build's migrations; another one in tests. */
  migrationsFolder?: string;
};

/** A database that holds something already. */
export class DatabaseNotEmptyError extends Error {
  override readonly name = "DatabaseNotEmptyError";
}

/**
 * Restores a backup into the database, as its owner and in one transaction: it is all there afterwards, with the rows
 * and checksums of the backup, or nothing has changed. The schema is that of the backup, to be migrated afterwards.
 * Throws a BackupError for a damaged backup, and a DatabaseNotEmptyError.
 */
export async function restoreDatabase(
  pool: Pool,
  source: AsyncIterable<Buffer>,
  { replace = false, beforeCommit, migrationsFolder }: RestoreOptions = {},
): Promise<Backup> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(TEXT_SETTINGS);
    if (replace) await dropObjects(client);
    if ((await countObjects(client)) > 0) throw new DatabaseNotEmptyError("The database is not empty.");
    let restoreKeys: string[] = [];
    const backup = await readBackup(source, {
      begin: async (header) => {
        restoreKeys = await createTables(client, header, migrationsFolder);
      },
      table: (table, rows) => copyRows(client, table, rows),
    });
    for (const { name, last_value } of backup.trailer.sequences)
      if (last_value !== null) await setSequence(client, name, last_value);
    for (const statement of restoreKeys) await client.query(statement);
    await compareChecksums(client, backup);
    beforeCommit?.();
    await client.query("commit");
    client.release();
    return backup;
  } catch (error) {
    // Closing the connection rolls back in any state.
    client.release(true);
    throw error;
  }
}

/** Creates the tables of the backup. Returns the statements that are left for when they are filled. */
async function createTables(
  client: PoolClient,
  { migrations, tables }: BackupHeader,
  migrationsFolder?: string,
): Promise<string[]> {
  await recreateSchema(client, migrations, migrationsFolder);
  const statements = await openTables(client);
  const created = await listTables(client);
  if (JSON.stringify(created) !== JSON.stringify(tables))
    throw new BackupError(
      `The tables of the backup are not those that its migrations create: ${describeDifference(created, tables)}. ` +
        "Somebody changed the database that it was made of; bring its tables back into their form, and make another backup.",
    );
  return statements;
}

function describeDifference(created: readonly TableColumns[], stored: readonly TableColumns[]): string {
  const describe = (tables: readonly TableColumns[]) =>
    new Set(tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name}.${column}`)]));
  const [left, right] = [describe(created), describe(stored)];
  const differing = [...left, ...right].filter((item) => !left.has(item) || !right.has(item));
  return differing.slice(0, 5).join(", ");
}

async function copyRows(client: PoolClient, table: TableColumns, rows: AsyncIterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(rows), client.query(copyFrom(`copy ${copyTarget(table)} from stdin`)));
}

async function compareChecksums(client: PoolClient, { header, trailer }: Backup): Promise<void> {
  for (const [index, table] of header.tables.entries()) {
    const expected = trailer.tables[index];
    const { rows, checksum } = await readChecksum(client, table);
    if (rows !== expected?.rows || checksum !== expected.checksum)
      throw new Error(
        `The table ${table.name} would not be what it was: ${rows} rows with the checksum ${checksum} instead of ` +
          `${expected?.rows} with ${expected?.checksum}. Nothing was changed.`,
      );
  }
}
