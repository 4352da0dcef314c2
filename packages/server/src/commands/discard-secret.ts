import { deleteSealed } from "../platform/installation/index.ts";
import { openDatabase } from "./open-database.ts";
import { parseCommandLine, runCommand, UsageError } from "./run-command.ts";

const HELP = `Deletes what only a lost secret could decrypt, so that the server starts with a new one.

Usage: npx node packages/server/src/commands/discard-secret.ts --yes

Keys of backends, hub tokens, second factors and their recovery codes, and webhook endpoints are deleted. People sign in
with their password alone afterwards, admins enter the keys of backends again, and those of organizations make their
webhooks again. Stop the server first. Reads the same settings as the server (DATABASE_URL or FEATHER_DATA_DIR).

  --yes    Really delete them.
  --help   Show this text.

Exit codes: 0 they are deleted; 1 they could not be; 2 wrong use.
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
    await db.transaction().execute(async (trx) => {
      await deleteSealed(trx);
      await trx.deleteFrom("installation").execute();
    });
    process.stdout.write("What the lost secret encrypted is deleted. The next start takes the secret it is given.\n");
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
