import { createBillingRepository, type EndedPlan, formatDate } from "../../money/billing/index.ts";
import { formatMoney } from "../../money/currencies/index.ts";
import { isPaidPlan, type PlanRow } from "../../money/plans/index.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Mail } from "../../platform/mail/index.ts";

type PlanGrant = { organizationId: string; plan: PlanRow; quantity: number; settlement: EndedPlan | null };
type MailContext = { mail: Mail; publicUrl: string; productName: string };

/** Mails an organization's billing contact which plan it was given, which plan ended, and what was credited. */
export async function sendGrantMail(grant: PlanGrant, context: MailContext, trx: Database): Promise<void> {
  const { organizationId, plan } = grant;
  const contact = await createBillingRepository(trx).findContact(organizationId, trx);
  if (!contact) return;
  const { mail, publicUrl, productName } = context;
  const text = [...toLines(grant), "", `Your plan: ${publicUrl}/account`].join("\n");
  const subject = `${productName}: you are on the plan ${plan.name} now`;
  await mail.send({ kind: "plan_granted", to: contact.email, subject, text }, trx);
}

function toLines({ plan, quantity, settlement }: PlanGrant): string[] {
  const name = quantity > 1 ? `${plan.name} × ${quantity}` : plan.name;
  const isFree = !isPaidPlan(plan.id);
  return [
    `${toOpening(isFree)} ${name}.`,
    ...(isFree ? [] : ["It costs nothing and has no end date."]),
    ...(settlement === null ? [] : toEndedPlanLines(settlement)),
  ];
}

const toOpening = (isFree: boolean): string =>
  isFree ? "An admin put your organization on the free plan," : "An admin put your organization on the plan";

function toEndedPlanLines({ planName, periodEnd, currency, creditedCents, balanceCents }: EndedPlan): string[] {
  const endedText = `Your plan ${planName} ended with that, and is not charged any more.`;
  if (creditedCents === 0) return [endedText];
  return [
    endedText,
    `You had paid for it until ${formatDate(periodEnd)}. ${formatMoney(creditedCents, currency)} of that is for time you did not use: it is kept for your next invoices.`,
    ...(balanceCents === creditedCents
      ? []
      : [`Together with what was kept before, that is ${formatMoney(balanceCents, currency)}.`]),
  ];
}
