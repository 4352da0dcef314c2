import { parseArgs } from "node:util";
import { deleteSealed } from "../modules/installation/index.ts";
import { openDatabase } from "./open-database.ts";

const HELP = `Deletes what only a lost secret could decrypt, so that the server starts with a new one.

Usage: npx node packages/server/src/commands/discard-secret.ts --yes

Keys of backends, hub tokens, second factors and their recovery codes are deleted. People sign in with their password
alone afterwards, and admins enter the keys of backends again. Stop the server first. Reads the same settings as the
server (DATABASE_URL or FEATHER_DATA_DIR).

  --yes    Really delete them.
  --help   Show this text.

Exit codes: 0 they are deleted; 1 they could not be; 2 wrong use.
`;

class UsageError extends Error {}

async function main(): Promise<void> {
  const { help, yes } = parseOptions();
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  if (!yes) throw new UsageError(HELP);
  const { db, close } = await openDatabase();
  try {
    await db.transaction().execute(async (trx) => {
      await deleteSealed(trx);
      await trx.deleteFrom("installation").execute();
    });
    process.stdout.write("What the lost secret encrypted is deleted. The next start takes the secret it is given.\n");
  } finally {
    await close();
  }
}

function parseOptions(): { help: boolean; yes: boolean } {
  try {
    const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" }, yes: { type: "boolean" } } });
    return { help: values.help === true, yes: values.yes === true };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
