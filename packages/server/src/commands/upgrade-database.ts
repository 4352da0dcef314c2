import { existsSync } from "node:fs";
import { resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { systemClock } from "../platform/core/clock.ts";
import { dumpDatabase, type RestoredBackup, restoreDatabase } from "../platform/core/db/backup/index.ts";
import type { DatabaseTarget } from "../platform/core/db/connect.ts";
import { migrate } from "../platform/core/db/migrate.ts";
import { upgradeEmbeddedPostgres } from "../platform/core/db/upgrade-embedded.ts";
import { describeLeftOut, describeRows } from "./describe-backup.ts";
import { COMMAND_LOG, type CommandSettings, openTarget, readCommandSettings } from "./open-database.ts";
import { abortOnStop, parseCommandLine, runCommand, UsageError, untilStopped } from "./run-command.ts";

const HELP = `Brings the embedded database over from an earlier major version of PostgreSQL, which this version cannot read.
Usage: npx node packages/server/src/commands/upgrade-database.ts --postgres <folder>
Everything is copied into a new database beside the old one, in one step, and the rows and checksums of each table are
compared. Then the new one takes the place of the old one, which is kept under another name. When anything fails, the old
one is where it was. There must be room for both. Stop the server first. Reads the same settings as the server.
  --postgres <folder>   The programs of the version that made the database. The refusal of the server says how to fetch
                        them. Of another installation of that PostgreSQL: the folder that holds its bin/postgres.
  --help                Show this text.
Exit codes: 0 it is brought over; 1 it could not be; 2 wrong use.
`;

runCommand(async () => {
  const { values } = parseCommandLine({
    options: { help: { type: "boolean", short: "h" }, postgres: { type: "string" } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.postgres === undefined) throw new UsageError(HELP);
  await upgrade(resolve(values.postgres), readCommandSettings(), abortOnStop());
  return 0;
});

async function upgrade(postgres: string, { settings, dataDir }: CommandSettings, stopped: AbortSignal): Promise<void> {
  if (settings.storage.databaseUrl !== undefined)
    throw new Error(
      "DATABASE_URL is set, so the server has no embedded database. Upgrade yours as PostgreSQL's manual says.",
    );
  if (!existsSync(dataDir)) throw new Error(`There is no data folder ${dataDir}. Set FEATHER_DATA_DIR.`);
  const upgraded = await upgradeEmbeddedPostgres({
    dataDir,
    postgres,
    log: COMMAND_LOG,
    copy: async (from, to) => report(await copy(from, to, stopped)),
  });
  process.stdout.write(
    `The database is one of PostgreSQL ${upgraded.to} now. That of PostgreSQL ${upgraded.from} is in ${upgraded.kept}: ` +
      "delete it when the new one has proved itself.\n",
  );
}

/** Copies a database into an empty one, and applies this version's migrations to that. */
async function copy(from: DatabaseTarget, to: DatabaseTarget, stopped: AbortSignal): Promise<RestoredBackup> {
  const source = openTarget(from);
  const target = openTarget(to);
  try {
    const contents = {
      program_version: packageJson.version,
      createdAt: systemClock.now(),
      secret: { fingerprint: null, key: null }, // it stays where it is
      model_files: [],
    };
    const copied = await restoreDatabase(target.pool, untilStopped(dumpDatabase(source.pool, contents), stopped));
    await migrate(target.pool);
    await target.pool.query("analyze");
    return copied;
  } finally {
    await source.close();
    await target.close();
  }
}

function report(backup: RestoredBackup): void {
  process.stdout.write(
    `Copied ${describeRows(backup)}. Rows and checksums are the same in both databases.\n${describeLeftOut(backup)}`,
  );
}
