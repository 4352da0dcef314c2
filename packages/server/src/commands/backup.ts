import { statSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { listModelFiles } from "../hosting/store/index.ts";
import { systemClock } from "../platform/core/clock.ts";
import { dumpDatabase, writeBackupFile } from "../platform/core/db/backup/index.ts";
import { readBackupSecret } from "../platform/installation/index.ts";
import { describeFiles, describeRows, describeSecret, toSize } from "./describe-backup.ts";
import { runFileCommand } from "./file-command.ts";
import { openDatabase, readCommandSettings } from "./open-database.ts";
import { abortOnStop, untilStopped } from "./run-command.ts";

const HELP = `Saves the database to a file, while the server runs or not.

Usage: npx node packages/server/src/commands/backup.ts <file> [--without-secret]

The file holds every table as it was at one moment, the list of the files of models (not the files), and the secret of
the server where that is in secret.key of the data folder; a secret from FEATHER_SECRET you keep yourself. Whoever has
the file can read all of it: only its owner may, at first. The file gets its name when it has been written and read back;
one of that name is never overwritten. Reads the same settings as the server (DATABASE_URL or FEATHER_DATA_DIR).

  --without-secret   Leave the secret out also where it is in secret.key. Keep that file elsewhere: restoring takes it, as
                     secret.key of the data folder or in FEATHER_SECRET. Without it, who has the file cannot open what
                     is encrypted in it; all else is readable, so encrypt the file where others keep it, for example
                     with age (age -r <public key> -o backup.age backup).
  --help             Show this text.

Exit codes: 0 the backup is made; 1 it could not be; 2 wrong use.
`;

runFileCommand({
  help: HELP,
  option: "without-secret",
  run: async (file, withoutSecret) => {
    await backUp(file, withoutSecret, abortOnStop());
    return 0;
  },
});

async function backUp(file: string, withoutSecret: boolean, stopped: AbortSignal): Promise<void> {
  const { settings, dataDir } = readCommandSettings();
  const { db, pool, close } = await openDatabase();
  try {
    const secret = await readBackupSecret(db, { settings: settings.installation, dataDir });
    const contents = {
      program_version: packageJson.version,
      createdAt: systemClock.now(),
      secret: withoutSecret ? { ...secret, key: null } : secret,
      model_files: await listModelFiles(join(dataDir, "models")),
    };
    const backup = await writeBackupFile(file, untilStopped(dumpDatabase(pool, contents), stopped));
    process.stdout.write(
      `Saved ${describeRows(backup)} to ${file} (${toSize(statSync(file).size)}), and read them back.\n` +
        `${describeSecret(backup)}\n`,
    );
    if (contents.model_files.length > 0)
      process.stdout.write(`Files of models are not in it: ${describeFiles(contents.model_files)}.\n`);
  } finally {
    await close();
  }
}
