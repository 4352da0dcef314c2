import { sql } from "kysely";
import type { Database } from "../core/db/connect.ts";

const REPLACEMENT = "(deleted)";

/** Removes an e-mail address from the outbox: deletes messages to it and replaces it in the texts of others. */
export async function redactAddress(address: string, trx: Database): Promise<void> {
  await trx.deleteFrom("outbox").where(sql`lower(recipient)`, "=", address.toLowerCase()).execute();
  const pattern = toAddressPattern(address);
  await trx
    .updateTable("outbox")
    .set({
      subject: sql`regexp_replace(subject, ${pattern}, ${REPLACEMENT}, 'gi')`,
      body: sql`regexp_replace(body, ${pattern}, ${REPLACEMENT}, 'gi')`,
    })
    .where((eb) => eb.or([eb("subject", "~*", pattern), eb("body", "~*", pattern)]))
    .execute();
}

/** Returns a regular expression for the address, but not for longer addresses that contain it. */
function toAddressPattern(address: string): string {
  return `(?<![A-Za-z0-9._%+-])${address.replaceAll(/[^A-Za-z0-9@]/g, "\\$&")}(?![A-Za-z0-9-]|\\.[A-Za-z0-9])`;
}
