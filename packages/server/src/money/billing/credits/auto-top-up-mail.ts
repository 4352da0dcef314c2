import type { Database } from "../../../platform/core/db/connect.ts";
import {
  listAdminAddresses,
  type Mail,
  type MailVariables,
  type TemplatedMessage,
} from "../../../platform/mail/index.ts";
import { formatMoney, USD } from "../../currencies/index.ts";
import { autoTopUpConfirmationMail, autoTopUpLimitMail, autoTopUpPausedMail } from "./auto-top-ups.mails.ts";
import type { PauseReason } from "./auto-top-ups.repository.ts";

/** Tells the admins that the automatic top-up is paused, and why. */
export async function sendPausedMail(mail: Mail, organizationId: string, reason: PauseReason, trx: Database) {
  const values = {
    is_declined: reason === "card_declined",
    is_not_confirmed: reason === "not_confirmed",
    has_no_card: reason === "no_card",
    has_no_address: reason === "no_address",
    is_refunded: reason === "refunded",
    is_disputed: reason === "disputed",
  };
  await sendToAdmins(mail, organizationId, { template: autoTopUpPausedMail, values }, trx);
}

/** Tells the admins that the bank wants a confirmation of an automatic payment. */
export async function sendConfirmationMail(mail: Mail, organizationId: string, url: string | null, trx: Database) {
  const values = { confirm_link: url };
  await sendToAdmins(mail, organizationId, { template: autoTopUpConfirmationMail, values }, trx);
}

/** Tells the admins that another payment would exceed the limit of the month. */
export async function sendLimitMail(mail: Mail, organizationId: string, limitCents: number, trx: Database) {
  const values = { limit: formatMoney(limitCents, USD) };
  await sendToAdmins(mail, organizationId, { template: autoTopUpLimitMail, values }, trx);
}

async function sendToAdmins<V extends MailVariables>(
  mail: Mail,
  organizationId: string,
  message: TemplatedMessage<V>,
  trx: Database,
): Promise<void> {
  for (const to of await listAdminAddresses(organizationId, trx)) await mail.send({ ...message, to }, trx);
}
