import { verifyLedger } from "../money/ledger/index.ts";
import { verifyAudit } from "../platform/audit/index.ts";
import {
  type Backup,
  NO_VISITOR,
  readBackup,
  readBackupFile,
  restoreDatabase,
} from "../platform/core/db/backup/index.ts";
import { connectDatabase, NO_TIMEOUTS } from "../platform/core/db/connect.ts";
import { migrate } from "../platform/core/db/migrate.ts";
import { startTemporaryPostgres } from "../platform/core/db/temporary.ts";
import { describeLeftOut, describeRows, describeSecret } from "./describe-backup.ts";
import { runFileCommand } from "./file-command.ts";

const HELP = `Checks that a backup is whole.

Usage: npx node packages/server/src/commands/verify-backup.ts <file> [--restore]

Reads the file and compares everything with its checksums. Needs no settings and no database.

  --restore   Also restore it into a database of its own in the folder for temporary files (TMPDIR), which needs room for
              all of it, compare rows and checksums there, bring it up to date, and check ledger and audit log.
  --help      Show this text.

Exit codes: 0 the backup is whole; 1 it is not; 2 wrong use.
`;

runFileCommand({ help: HELP, option: "restore", run: verify });

async function verify(file: string, mustRestore: boolean): Promise<number> {
  const backup = await readBackup(readBackupFile(file), NO_VISITOR);
  process.stdout.write(`${describe(backup)}\n${describeSecret(backup)}\n`);
  return mustRestore ? tryRestore(file) : 0;
}

function describe(backup: Backup): string {
  const { created_at, program_version } = backup.header;
  return `The file is whole: ${describeRows(backup)}, saved at ${created_at} by version ${program_version}.`;
}

/** Restores the backup into a temporary database, and checks it there. Returns the exit code. */
async function tryRestore(file: string): Promise<number> {
  const postgres = await startTemporaryPostgres();
  const { db, pool, close } = connectDatabase(postgres.connection, { timeouts: NO_TIMEOUTS });
  try {
    process.stdout.write(describeLeftOut(await restoreDatabase(pool, readBackupFile(file))));
    await migrate(pool);
    const audit = await verifyAudit(db);
    const findings = await verifyLedger(db);
    if (!audit.isValid) findings.push(`The audit log is broken: row ${audit.sequence} ${audit.reason}.`);
    for (const finding of findings) process.stdout.write(`${finding}\n`);
    if (findings.length === 0)
      process.stdout.write("It can be restored: rows, checksums, ledger and audit log are right.\n");
    return findings.length === 0 ? 0 : 1;
  } finally {
    await close().then(postgres.stop);
  }
}
