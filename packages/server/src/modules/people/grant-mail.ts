import type { Database } from "../../db/connect.ts";
import { createBillingRepository } from "../billing/billing.repository.ts";
import { dollars } from "../billing/bookkeeping.ts";
import { day } from "../billing/quote.ts";
import type { Settlement } from "../billing/settlements.ts";
import type { Mail } from "../mail/mail.ts";
import { isPaidPlan, type PlanRow } from "../plans/plans.repository.ts";

type Granted = { organizationId: string; plan: PlanRow; quantity: number; settlement: Settlement | null };
type Sender = { mail: Mail; publicUrl: string; productName: string };

/** Mails the billing contact of an organization which plan it was put on, which one ended, and what was credited. */
export async function sendGrantMail(granted: Granted, sender: Sender, trx: Database): Promise<void> {
  const { organizationId, plan } = granted;
  const contact = await createBillingRepository(trx).contact(organizationId, trx);
  if (!contact) return;
  const { mail, publicUrl, productName } = sender;
  const text = [...linesOf(granted), "", `Your plan: ${publicUrl}/account`].join("\n");
  const subject = `${productName}: you are on the plan ${plan.name} now`;
  await mail.send({ kind: "plan_granted", to: contact.email, subject, text }, trx);
}

function linesOf({ plan, quantity, settlement }: Granted): string[] {
  const name = quantity > 1 ? `${plan.name} × ${quantity}` : plan.name;
  const isFree = !isPaidPlan(plan.id);
  return [
    `${contactName(isFree)} ${name}.`,
    ...(isFree ? [] : ["It costs nothing and has no end date."]),
    ...(settlement === null ? [] : endedLines(settlement)),
  ];
}

const contactName = (isFree: boolean): string =>
  isFree ? "An admin put your organization on the free plan," : "An admin put your organization on the plan";

function endedLines({ planName, periodEnd, creditedCents, balanceCents }: Settlement): string[] {
  const ended = `Your plan ${planName} ended with that, and is not charged any more.`;
  if (creditedCents === 0) return [ended];
  return [
    ended,
    `You had paid for it until ${day(periodEnd)}. ${dollars(creditedCents)} of that is for time you did not use: it is kept for your next invoices.`,
    ...(balanceCents === creditedCents
      ? []
      : [`Together with what was kept before, that is ${dollars(balanceCents)}.`]),
  ];
}
