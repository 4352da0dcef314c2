import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { migrate } from "../platform/core/db/migrate.ts";

const FOLDER = join(import.meta.dirname, "../platform/core/db/migrations");

/** The names of this build's migrations, in their order. */
export const MIGRATION_NAMES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".sql"))
  .sort()
  .map((file) => file.slice(0, -".sql".length));

/** Migrates a database up to this migration, as a version did that had no later one. */
export const migrateThrough = (pool: Pool, last: string): Promise<string[]> =>
  migrateWith(
    pool,
    MIGRATION_NAMES.filter((name) => name <= last),
  );

/** Migrates a database up to the migration before this one, of which the number is enough. */
export const migrateBefore = (pool: Pool, next: string): Promise<string[]> =>
  migrateWith(
    pool,
    MIGRATION_NAMES.filter((name) => name < next),
  );

async function migrateWith(pool: Pool, names: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "feather-migrations-"));
  try {
    for (const name of names) cpSync(join(FOLDER, `${name}.sql`), join(folder, `${name}.sql`));
    return await migrate(pool, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
