import { createBillingRepository, type EndedPlan } from "../../money/billing/index.ts";
import { formatMoney } from "../../money/currencies/index.ts";
import { isPaidPlan, type PlanRow } from "../../money/plans/index.ts";
import { formatDate } from "../../money/quotes/index.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Mail } from "../../platform/mail/index.ts";
import { planGrantedMail } from "./people.mails.ts";

type PlanGrant = { organizationId: string; plan: PlanRow; quantity: number; settlement: EndedPlan | null };

/** Mails an organization's billing contact which plan it was given, which plan ended, and what was credited. */
export async function sendGrantMail(grant: PlanGrant, mail: Mail, trx: Database): Promise<void> {
  const { organizationId, plan, quantity, settlement } = grant;
  const contact = await createBillingRepository(trx).findContact(organizationId, trx);
  if (!contact) return;
  const values = {
    plan: plan.name,
    plan_with_quantity: quantity > 1 ? `${plan.name} × ${quantity}` : plan.name,
    is_free: !isPaidPlan(plan.id),
    ...toEndedPlanValues(settlement),
  };
  await mail.send({ template: planGrantedMail, values, to: contact.email }, trx);
}

function toEndedPlanValues(settlement: EndedPlan | null) {
  const credited = settlement !== null && settlement.creditedCents !== 0 ? settlement : null;
  const hadBalance = credited !== null && credited.balanceCents !== credited.creditedCents;
  return {
    ended_plan: settlement?.planName ?? null,
    paid_until: credited && formatDate(credited.periodEnd),
    kept_amount: credited && formatMoney(credited.creditedCents, credited.currency),
    balance: hadBalance ? formatMoney(credited.balanceCents, credited.currency) : null,
  };
}
