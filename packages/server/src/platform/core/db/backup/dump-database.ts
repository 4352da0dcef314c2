import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { LOCKS } from "../locks.ts";
import { copySource, readChecksum, TEXT_SETTINGS } from "./checksums.ts";
import {
  type BackupHeader,
  type BackupTrailer,
  EMPTY_FRAME,
  frames,
  framesOfJson,
  MAGIC,
  sha256,
  type TableColumns,
  toJson,
} from "./format.ts";
import { listSequences, listTables, lockTables } from "./schema-objects.ts";

/** The contents of a backup in addition to the database. */
export type BackupContents = Pick<BackupHeader, "program_version" | "secret" | "model_files"> & { createdAt: Date };

type DumpedTable = BackupTrailer["tables"][number];

/**
 * Yields a backup of the database's state at one moment, while others read and write it. A migration waits for it only if
 * it changes tables. The memory does not grow with the database. Throws an Error if no migration was applied yet.
 */
export async function* dumpDatabase(pool: Pool, contents: BackupContents): AsyncGenerator<Buffer> {
  const client = await pool.connect();
  try {
    const { migrations, tables } = await beginSnapshot(client);
    const { createdAt, ...rest } = contents;
    const header = toJson({ ...rest, created_at: createdAt.toISOString(), migrations, tables });
    yield* frames(Buffer.from(MAGIC));
    yield* framesOfJson(header);
    const dumped: DumpedTable[] = [];
    for (const table of tables) dumped.push(yield* dumpTable(client, table));
    // Sequences are not part of the snapshot. They are read last, so that they are ahead of every row of it.
    const sequences = await listSequences(client);
    yield* framesOfJson(toJson({ header_sha256: sha256(header), tables: dumped, sequences }));
  } finally {
    client.release(true);
  }
}

/** Begins a transaction that sees the state at one moment. Nobody can change its tables until it ends. */
async function beginSnapshot(client: PoolClient): Promise<Pick<BackupHeader, "migrations" | "tables">> {
  await client.query("set statement_timeout = 0");
  await client.query("select pg_advisory_lock_shared($1)", [LOCKS.migration]);
  await client.query("begin isolation level repeatable read read only");
  await client.query(TEXT_SETTINGS);
  const tables = await listTables(client);
  if (!tables.some(({ name }) => name === "schema_migrations"))
    throw new Error("There is nothing to back up: the server has not been started on this database yet.");
  await lockTables(client, tables);
  await client.query("select pg_advisory_unlock_shared($1)", [LOCKS.migration]);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "select name, checksum from schema_migrations order by name",
  );
  return { migrations: rows, tables };
}

async function* dumpTable(client: PoolClient, table: TableColumns): AsyncGenerator<Buffer, DumpedTable> {
  const hash = createHash("sha256");
  const rows = client.query(copyTo(`copy ${copySource(table)} to stdout`)) as AsyncIterable<Buffer>;
  for await (const bytes of rows) {
    hash.update(bytes);
    yield* frames(bytes);
  }
  yield EMPTY_FRAME;
  return { name: table.name, ...(await readChecksum(client, table)), sha256: hash.digest("hex") };
}
