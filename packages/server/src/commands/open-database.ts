import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readStartSettings, type Settings } from "../config/settings.ts";
import {
  connectDatabase,
  type DatabaseConnection,
  type DatabaseTarget,
  NO_TIMEOUTS,
} from "../platform/core/db/connect.ts";
import { connectEmbeddedPostgres } from "../platform/core/db/embedded.ts";
import { readOwnerUrl } from "../start/database.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** The log of the database for commands, whose operators need only the warnings. */
export const COMMAND_LOG = { info: () => {}, warn: (text: string) => void process.stderr.write(`${text}\n`) };

/** The settings of the server, and its data folder. */
export type CommandSettings = { settings: Settings; dataDir: string };

/** Reads the settings that the server reads. Throws a SettingsError. */
export function readCommandSettings(): CommandSettings {
  const settings = readStartSettings(process.env, ROOT);
  return { settings, dataDir: resolve(ROOT, settings.storage.dataDir) };
}

/** Opens the database of the server's settings, for commands that may run at the same time as the server. */
export async function openDatabase(): Promise<DatabaseConnection> {
  const { settings, dataDir } = readCommandSettings();
  const { databaseUrl, databaseDirectUrl = databaseUrl } = settings.storage;
  if (databaseDirectUrl !== undefined) return openTarget({ connectionString: databaseDirectUrl });
  if (!existsSync(dataDir))
    throw new Error(`There is no data folder ${dataDir}. Set FEATHER_DATA_DIR or DATABASE_URL.`);
  return openEmbedded(dataDir);
}

/** Opens the database of the settings as the owner of its tables. Creates the data folder if it does not exist. */
export async function openOwnedDatabase({ settings, dataDir }: CommandSettings): Promise<OwnedDatabase> {
  const url = readOwnerUrl(settings.storage);
  return url === undefined ? openEmbedded(dataDir) : openTarget({ connectionString: url });
}

/** An open database, and how to connect to it again. */
export type OwnedDatabase = DatabaseConnection & { target: DatabaseTarget };

/** Opens a database without a time limit for statements. */
export function openTarget(target: DatabaseTarget): OwnedDatabase {
  return { ...connectDatabase(target, { timeouts: NO_TIMEOUTS }), target };
}

async function openEmbedded(dataDir: string): Promise<OwnedDatabase> {
  const postgres = await connectEmbeddedPostgres({ dataDir, log: COMMAND_LOG });
  const opened = openTarget(postgres.connection);
  return { ...opened, close: () => opened.close().then(postgres.stop) };
}
