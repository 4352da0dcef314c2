import type { Database } from "../core/db/connect.ts";
import type { Mail, TemplatedMessage } from "./mail.ts";
import type { MailVariables } from "./mail-template.ts";

/** Sends a message to all admins of the platform, in the transaction. */
export async function mailAdmins<V extends MailVariables>(
  mail: Mail,
  message: TemplatedMessage<V>,
  trx: Database,
): Promise<void> {
  const admins = await trx.selectFrom("users").select("email").where("is_admin", "=", true).execute();
  for (const { email } of admins) await mail.send({ ...message, to: email }, trx);
}
