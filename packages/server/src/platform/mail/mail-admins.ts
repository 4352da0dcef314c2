import type { Database } from "../core/db/connect.ts";
import type { Mail, MailKind } from "./mail.ts";

/** Sends a message to all admins of the platform, in the transaction. */
export async function mailAdmins(
  mail: Mail,
  message: { kind: MailKind; subject: string; text: string },
  trx: Database,
): Promise<void> {
  const admins = await trx.selectFrom("users").select("email").where("is_admin", "=", true).execute();
  for (const { email } of admins) await mail.send({ ...message, to: email }, trx);
}
