import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";

const GONE = "(deleted)";

/** Removes an e-mail address from the outbox: deletes messages to it and replaces it in the texts of others. */
export async function forgetAddress(address: string, trx: Database): Promise<void> {
  await trx.deleteFrom("outbox").where(sql`lower(recipient)`, "=", address.toLowerCase()).execute();
  const pattern = patternOf(address);
  await trx
    .updateTable("outbox")
    .set({
      subject: sql`regexp_replace(subject, ${pattern}, ${GONE}, 'gi')`,
      body: sql`regexp_replace(body, ${pattern}, ${GONE}, 'gi')`,
    })
    .where((eb) => eb.or([eb("subject", "~*", pattern), eb("body", "~*", pattern)]))
    .execute();
}

/** Returns a regular expression for the address, but not for longer addresses that contain it. */
function patternOf(address: string): string {
  return `(?<![A-Za-z0-9._%+-])${address.replaceAll(/[^A-Za-z0-9@]/g, "\\$&")}(?![A-Za-z0-9-]|\\.[A-Za-z0-9])`;
}
