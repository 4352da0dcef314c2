import { join } from "node:path";
import { listModelFiles } from "../hosting/store/index.ts";
import {
  DatabaseNotEmptyError,
  type ModelFile,
  NO_VISITOR,
  readBackup,
  readBackupFile,
  restoreDatabase,
} from "../platform/core/db/backup/index.ts";
import { migrate, refuseUnknownBackup } from "../platform/core/db/migrate.ts";
import { mustWriteSecret, writeSecretFile } from "../platform/installation/index.ts";
import { describeFiles, describeLeftOut, describeRows } from "./describe-backup.ts";
import { runFileCommand } from "./file-command.ts";
import { withServerLock } from "./lock-database.ts";
import { openOwnedDatabase, readCommandSettings } from "./open-database.ts";
import { abortOnStop, untilStopped } from "./run-command.ts";

const HELP = `Restores a backup into an empty database.

Usage: npx node packages/server/src/commands/restore.ts <file> [--replace]

The whole file is checked first. Then everything is restored in one step, compared with the rows and checksums of the
backup, and brought up to date with this version; when anything fails, the database is as it was. Stop the server first.
Reads the same settings as the server: DATABASE_URL (DATABASE_OWNER_URL where it is set), or FEATHER_DATA_DIR, which is
created when it is missing. A secret in the backup becomes secret.key of the data folder, unless FEATHER_SECRET is set.

  --replace   Delete what the database holds, all tables and functions of its schema "public". Without it, a database
              that is not empty is refused.
  --help      Show this text.

Exit codes: 0 it is restored; 1 it could not be; 2 wrong use.
`;

runFileCommand({
  help: HELP,
  option: "replace",
  run: async (file, replace) => {
    await restore(file, replace, abortOnStop());
    return 0;
  },
});

async function restore(file: string, replace: boolean, stopped: AbortSignal): Promise<void> {
  const commandSettings = readCommandSettings();
  const { settings, dataDir } = commandSettings;
  const backup = await readBackup(untilStopped(readBackupFile(file), stopped), NO_VISITOR);
  const { secret, model_files, migrations } = backup.header;
  refuseUnknownBackup(migrations);
  const key = mustWriteSecret(secret, { settings: settings.installation, dataDir }) ? secret.key : null;
  const database = await openOwnedDatabase(commandSettings);
  try {
    const { applied, leftOut } = await withServerLock(database, async () => {
      const beforeCommit = () => {
        stopped.throwIfAborted();
        if (key !== null) writeSecretFile(dataDir, key);
      };
      const source = untilStopped(readBackupFile(file), stopped);
      const restored = await restoreDatabase(database.pool, source, { replace, beforeCommit }).catch(explain);
      return { applied: await migrate(database.pool), leftOut: restored.leftOut };
    });
    await database.pool.query("analyze");
    process.stdout.write(`Restored ${describeRows(backup)}, with the checksums that the backup names.\n`);
    process.stdout.write(describeLeftOut({ leftOut }));
    if (applied.length > 0) process.stdout.write(`Brought up to date by ${applied.join(", ")}.\n`);
    if (key !== null) process.stdout.write(`The secret is in ${join(dataDir, "secret.key")}.\n`);
    await reportMissingFiles(model_files, join(dataDir, "models"));
  } finally {
    await database.close();
  }
}

function explain(error: unknown): never {
  if (!(error instanceof DatabaseNotEmptyError)) throw error;
  throw new Error(
    `${error.message} Name an empty one in DATABASE_URL, or a new folder in FEATHER_DATA_DIR. With --replace, what it ` +
      "holds is deleted and the backup takes its place.",
    { cause: error },
  );
}

/** Prints the names of the model files that the server had and that are missing here. */
async function reportMissingFiles(expected: readonly ModelFile[], folder: string): Promise<void> {
  const toName = ({ path, bytes }: ModelFile) => `${bytes} ${path}`;
  const present = new Set((await listModelFiles(folder)).map(toName));
  const missing = expected.filter((file) => !present.has(toName(file)));
  if (missing.length === 0) return;
  process.stdout.write(
    `Files of models are not in a backup, and these are not in ${folder} (${describeFiles(missing)}). Copy them there, or ` +
      "download the models again:\n",
  );
  for (const { path } of missing) process.stdout.write(`  ${path}\n`);
}
