import { verifyLedger } from "../money/ledger/index.ts";
import { openDatabase } from "./open-database.ts";
import { parseCommandLine, runCommand } from "./run-command.ts";

const HELP = `Checks that the ledger adds up.

Usage: npx node packages/server/src/commands/verify-ledger.ts

The entries of each transaction and of all together must sum to zero, each balance must be the sum of its entries, no
credits may be below zero, and each request must have been charged what its receipt says. Reads the same settings as the
server (DATABASE_URL or FEATHER_DATA_DIR) and may run while the server does.

  --help   Show this text.

Exit codes: 0 all is well; 1 something does not add up, and is named, or the ledger could not be read; 2 wrong use.
`;

async function main(): Promise<number> {
  if (wantsHelp()) {
    process.stdout.write(HELP);
    return 0;
  }
  const { db, close } = await openDatabase();
  try {
    const findings = await verifyLedger(db);
    for (const finding of findings) process.stdout.write(`${finding}\n`);
    if (findings.length === 0) process.stdout.write("The ledger adds up.\n");
    return findings.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

function wantsHelp(): boolean {
  return parseCommandLine({ options: { help: { type: "boolean", short: "h" } } }).values.help === true;
}

runCommand(main);
