import packageJson from "../../package.json" with { type: "json" };
import { systemClock } from "../platform/core/clock.ts";
import {
  DatabaseNotEmptyError,
  dumpDatabase,
  type RestoredBackup,
  restoreDatabase,
} from "../platform/core/db/backup/index.ts";
import { migrate } from "../platform/core/db/migrate.ts";
import { readBackupSecret } from "../platform/installation/index.ts";
import { describeLeftOut, describeRows } from "./describe-backup.ts";
import { withServerLock } from "./lock-database.ts";
import { type OwnedDatabase, openOwnedDatabase, openTarget, readCommandSettings } from "./open-database.ts";
import { abortOnStop, parseCommandLine, runCommand, UsageError, untilStopped } from "./run-command.ts";

const HELP = `Moves the database to another PostgreSQL, which must be empty.

Usage: npx node packages/server/src/commands/migrate.ts --to postgres://owner@db.example.com/feather

Everything is copied in one step, and the rows and checksums of each table are compared; when anything fails, the new
database is still empty. The old one stays as it is. Stop the server first. Reads the same settings as the server
(FEATHER_DATA_DIR, or DATABASE_URL and DATABASE_OWNER_URL) to find the old database.

  --to <url>   The new database, as the role that shall own its tables. Other users of this machine can see command lines:
               leave the password out of it, and set PGPASSWORD or use ~/.pgpass.
  --help       Show this text.

Exit codes: 0 it is moved; 1 it could not be; 2 wrong use.
`;

runCommand(async () => {
  const { values } = parseCommandLine({ options: { help: { type: "boolean", short: "h" }, to: { type: "string" } } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.to === undefined || !/^postgres(ql)?:\/\/./.test(values.to)) throw new UsageError(HELP);
  await move(values.to, abortOnStop());
  return 0;
});

async function move(url: string, stopped: AbortSignal): Promise<void> {
  const commandSettings = readCommandSettings();
  const { settings, dataDir } = commandSettings;
  const target = openTarget({ connectionString: url });
  const source = await openOwnedDatabase(commandSettings);
  try {
    const secret = await readBackupSecret(source.db, { settings: settings.installation, dataDir });
    const contents = {
      program_version: packageJson.version,
      createdAt: systemClock.now(),
      secret: { ...secret, key: null }, // it stays where it is
      model_files: [],
    };
    const copied = await withServerLock(source, () =>
      withServerLock(target, async () => {
        const rows = untilStopped(dumpDatabase(source.pool, contents), stopped);
        const backup = await restoreDatabase(target.pool, rows).catch(explain);
        await migrate(target.pool);
        return backup;
      }),
    );
    await target.pool.query("analyze");
    report(copied, dataDir);
  } finally {
    await closeAll(source, target);
  }
}

async function closeAll(...databases: OwnedDatabase[]): Promise<void> {
  for (const { close } of databases) await close();
}

function explain(error: unknown): never {
  if (!(error instanceof DatabaseNotEmptyError)) throw error;
  throw new Error("The database of --to is not empty. Create a new one there, and name that.", { cause: error });
}

function report(backup: RestoredBackup, dataDir: string): void {
  for (const { name, rows, checksum } of backup.trailer.tables)
    if (!backup.leftOut.includes(name)) process.stdout.write(`${name}\t${rows} rows\tchecksum ${checksum}\n`);
  process.stdout.write(
    `Copied ${describeRows(backup)}. Rows and checksums are the same in both databases.\n${describeLeftOut(backup)}` +
      "Now set DATABASE_URL to the new database, or DATABASE_OWNER_URL to it and DATABASE_URL to the role that the server " +
      `works as. Keep FEATHER_DATA_DIR: the secret and the files of models stay in ${dataDir}. The old database is still ` +
      "there; delete it when the new one has proved itself.\n",
  );
}
