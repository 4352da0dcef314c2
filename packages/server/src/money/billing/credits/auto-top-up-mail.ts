import type { Database } from "../../../platform/core/db/connect.ts";
import { listAdminAddresses, type Mail } from "../../../platform/mail/index.ts";
import { formatMoney, USD } from "../../currencies/index.ts";
import type { PauseReason } from "./auto-top-ups.repository.ts";

type Deps = { mail: Mail; publicUrl: string; productName: string };

const PAUSE_TEXTS: Readonly<Record<PauseReason, string>> = {
  card_declined: "the payment was declined",
  not_confirmed: "your bank wanted a confirmation, and there was none",
  no_card: "there is no card",
  refunded: "a payment for credits was given back",
  disputed: "a payment is disputed at your bank",
};

/** Tells the admins that the automatic top-up is paused, and why. */
export async function sendPausedMail(deps: Deps, organizationId: string, reason: PauseReason, trx: Database) {
  await sendToAdmins(deps, organizationId, "the automatic top-up is paused", trx, [
    `Credits could not be bought automatically: ${PAUSE_TEXTS[reason]}.`,
    "Nothing is bought until you switch it on again. Calls are refused when the credits are used up.",
    `Look after your card here: ${deps.publicUrl}/account/payment-methods`,
    `Then switch it on again: ${deps.publicUrl}/account#credits`,
  ]);
}

/** Tells the admins that the bank wants a confirmation of an automatic payment. */
export async function sendConfirmationMail(deps: Deps, organizationId: string, url: string | null, trx: Database) {
  await sendToAdmins(deps, organizationId, "confirm the automatic top-up", trx, [
    "Credits were to be bought automatically, and your bank wants you to confirm it.",
    url === null ? `Buy credits here instead: ${deps.publicUrl}/account#credits` : `Confirm the payment here: ${url}`,
    "Without a confirmation within a day, the automatic top-up is paused.",
  ]);
}

/** Tells the admins that another payment would exceed the limit of the month. */
export async function sendLimitMail(deps: Deps, organizationId: string, limitCents: number, trx: Database) {
  await sendToAdmins(deps, organizationId, "the automatic top-up has reached its limit", trx, [
    `The credits are low. Another automatic payment would exceed your limit of ${formatMoney(limitCents, USD)} a month, so none is made.`,
    "Calls are refused when the credits are used up.",
    `Raise the limit, or buy credits: ${deps.publicUrl}/account#credits`,
  ]);
}

async function sendToAdmins(
  { mail, productName }: Deps,
  organizationId: string,
  subject: string,
  trx: Database,
  lines: readonly string[],
): Promise<void> {
  const message = { kind: "auto_top_up" as const, subject: `${productName}: ${subject}`, text: lines.join("\n\n") };
  for (const to of await listAdminAddresses(organizationId, trx)) await mail.send({ ...message, to }, trx);
}
