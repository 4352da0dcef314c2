import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readSettings } from "../config/settings.ts";
import { connectDatabase, type Database } from "../core/db/connect.ts";
import { connectEmbeddedPostgres } from "../core/db/embedded.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** Opens the database of the server's settings, for commands that may run while the server does. */
export async function openDatabase(): Promise<{ db: Database; close(): Promise<void> }> {
  const { storage } = readSettings(process.env, ROOT);
  const options = { statementTimeoutMs: 0 };
  if (storage.databaseUrl !== undefined) return connectDatabase({ connectionString: storage.databaseUrl }, options);
  const dataDir = resolve(ROOT, storage.dataDir);
  if (!existsSync(dataDir))
    throw new Error(`There is no data folder ${dataDir}. Set FEATHER_DATA_DIR or DATABASE_URL.`);
  const log = { info: () => {}, warn: (text: string) => void process.stderr.write(`${text}\n`) };
  const postgres = await connectEmbeddedPostgres({ dataDir, log });
  const { db, close } = connectDatabase(postgres.connection, options);
  return { db, close: () => close().then(postgres.stop) };
}
