import { removeSavedValue } from "../insight/settings/index.ts";
import { createAudit } from "../platform/audit/index.ts";
import { systemClock } from "../platform/core/clock.ts";
import { randomIds } from "../platform/core/ids.ts";
import { openDatabase } from "./open-database.ts";
import { parseCommandLine, runCommand, UsageError } from "./run-command.ts";

const HELP = `Removes what an admin saved for a setting, such as one with which the server does not start.

Usage: npx node packages/server/src/commands/remove-setting.ts <NAME>

The default holds from the next start on, or what the environment or feather.config.yaml sets. Reads the same settings as the
server (DATABASE_URL or FEATHER_DATA_DIR) and may run while the server does. The audit log says that it was removed.

  --help   Show this text.

Exit codes: 0 it is removed; 1 nothing was saved for it; 2 wrong use.
`;

async function main(): Promise<number> {
  const options = { help: { type: "boolean", short: "h" } } as const;
  const { values, positionals } = parseCommandLine({ options, allowPositionals: true });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError(HELP);
  const { db, close } = await openDatabase();
  try {
    const isRemoved = await removeSavedValue(db, name, systemClock.now());
    process.stdout.write(isRemoved ? `Removed ${name}.\n` : `Nothing is saved for ${name}.\n`);
    if (!isRemoved) return 1;
    const audit = createAudit(db, systemClock, randomIds);
    await audit.record({ action: "settings.remove", target: name, userId: null });
    return 0;
  } finally {
    await close();
  }
}

runCommand(main);
