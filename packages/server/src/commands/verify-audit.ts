import { type ExpectedRow, verifyAudit } from "../platform/audit/index.ts";
import { openDatabase } from "./open-database.ts";
import { parseCommandLine, runCommand, UsageError } from "./run-command.ts";

const HELP = `Checks that nobody changed, removed or slipped in a row of the audit log.

Usage: npx node packages/server/src/commands/verify-audit.ts [--noted <row>:<hash>]

Every row of the log holds a hash over itself and the row before. This command computes all of them anew. It reads the
same settings as the server (DATABASE_URL or FEATHER_DATA_DIR) and may run while the server does.

  --noted <row>:<hash>   Also check that this row, noted from an earlier run, is still there as it was. Without it,
                         rows cut off the end of the log do not show, so keep the last line that this prints.
  --help                 Show this text.

Exit codes: 0 the log is whole; 1 it is broken, and the first broken row is named, or it could not be read; 2 wrong use.
`;

async function main(): Promise<number> {
  const { noted, help } = parseOptions();
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  const { db, close } = await openDatabase();
  try {
    const verdict = await verifyAudit(db, noted);
    if (verdict.isValid) {
      process.stdout.write(`The audit log is whole: ${verdict.rows} rows.\n`);
      if (verdict.rows > 0) process.stdout.write(`${verdict.rows}:${verdict.lastHash}\n`);
      return 0;
    }
    process.stdout.write(`The audit log is broken: row ${verdict.sequence} ${verdict.reason}.\n`);
    return 1;
  } finally {
    await close();
  }
}

function parseOptions(): { noted?: ExpectedRow; help: boolean } {
  const options = { noted: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
  const { values } = parseCommandLine({ options });
  const help = values.help === true;
  if (values.noted === undefined) return { help };
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(values.noted) ?? [];
  if (sequence === undefined || hash === undefined) throw new UsageError("--noted must read <row>:<hash>.");
  return { help, noted: { sequence: Number(sequence), hash } };
}

runCommand(main);
