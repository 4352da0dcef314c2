import { closeAccountsOfDeleted, createLedger } from "../money/ledger/index.ts";
import { createAudit } from "../platform/audit/index.ts";
import { systemClock } from "../platform/core/clock.ts";
import { randomIds } from "../platform/core/ids.ts";
import { formatNanoUsd } from "../platform/core/money.ts";
import { openDatabase } from "./open-database.ts";
import { parseCommandLine, runCommand, UsageError } from "./run-command.ts";

const HELP = `Closes ledger accounts that still hold something although their organization is deleted.

Usage: npx node packages/server/src/commands/repair-ledger.ts --yes

What verify-ledger reports as "of an organization that is deleted" is posted as forfeited, with a row in the audit log
for each organization. Nothing else is changed. Reads the same settings as the server (DATABASE_URL or FEATHER_DATA_DIR)
and may run while the server does.

  --yes    Really post it.
  --help   Show this text.

Exit codes: 0 it is posted, or there was nothing to post; 1 it could not be; 2 wrong use.
`;

async function main(): Promise<number> {
  const { help, yes } = parseOptions();
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!yes) throw new UsageError(HELP);
  const { db, close } = await openDatabase();
  try {
    const ledger = createLedger(db, systemClock, randomIds);
    const closed = await closeAccountsOfDeleted(db, ledger, createAudit(db, systemClock, randomIds));
    for (const { organizationId, amountNano } of closed)
      process.stdout.write(`${organizationId}: $${formatNanoUsd(amountNano)} posted as forfeited.\n`);
    if (closed.length === 0) process.stdout.write("No account of a deleted organization holds anything.\n");
    return 0;
  } finally {
    await close();
  }
}

function parseOptions(): { help: boolean; yes: boolean } {
  const options = { help: { type: "boolean", short: "h" }, yes: { type: "boolean" } } as const;
  const { values } = parseCommandLine({ options });
  return { help: values.help === true, yes: values.yes === true };
}

runCommand(main);
