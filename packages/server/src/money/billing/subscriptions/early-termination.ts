import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { stepOf } from "../../currencies/index.ts";
import { draftUnusedTimeInvoice, unusedValueCents } from "../../quotes/index.ts";
import { activeSubscriptionOf, type BillingRepository } from "../billing.repository.ts";
import type { BillingState } from "../billing-rows.ts";
import type { InvoicesRepository } from "../invoices/invoices.repository.ts";
import type { Postings } from "../invoices/postings.ts";
import type { Cancellation } from "./cancellation.ts";

/** A paid plan that ends before its period does, with the credit for its unused time. */
export type EndedPlan = {
  subscriptionId: string;
  planId: string;
  planName: string;
  quantity: number;
  periodEnd: Date;
  /** The currency of the amounts. */
  currency: string;
  /** The value of the unused time, added to the account's balance. */
  creditedCents: number;
  /** The account's balance after that. */
  balanceCents: number;
};

type Deps = {
  billingRepository: BillingRepository;
  invoicesRepository: InvoicesRepository;
  postings: Postings;
  cancellation: Cancellation;
  clock: Clock;
  isTest: boolean;
};

/** Ends paid plans before their period does, and credits the unused time to the account's balance. */
export function createEarlyTermination(deps: Deps) {
  return bind(deps, {
    preview,
    terminate,
  });
}

export type EarlyTermination = ReturnType<typeof createEarlyTermination>;

/**
 * Returns what would be credited if the plan ended now, after `refundedCents` of it are refunded to the card. Null without
 * a plan that is paid for here.
 */
async function preview(
  deps: Deps,
  { account, rate, subscription }: BillingState,
  refundedCents: number,
  trx: Database,
): Promise<EndedPlan | null> {
  const { billingRepository, clock } = deps;
  const active = activeSubscriptionOf(subscription);
  if (!subscription || !active) return null;
  const isPaid = !active.trialing && !(await billingRepository.hasOpenInvoice(account.organization_id, trx));
  const valueCents = Math.max(0, active.valueCents - refundedCents);
  const creditedCents = isPaid ? unusedValueCents({ ...active, valueCents }, clock.now(), stepOf(rate.currency)) : 0;
  return {
    subscriptionId: subscription.row.id,
    planId: subscription.plan.id,
    planName: subscription.plan.name,
    quantity: active.quantity,
    periodEnd: active.periodEnd,
    currency: rate.currency,
    creditedCents,
    balanceCents: account.balance_cents + creditedCents,
  };
}

/**
 * Ends the current subscription, if any, and credits its unused time. Needs a transaction that has locked the
 * account.
 */
async function terminate(
  deps: Deps,
  billingState: BillingState,
  refundedCents: number,
  trx: Database,
): Promise<EndedPlan | null> {
  const { billingRepository, invoicesRepository, postings, cancellation, clock, isTest } = deps;
  const { account, rate, subscription } = billingState;
  const active = activeSubscriptionOf(subscription);
  const endedPlan = await preview(deps, billingState, refundedCents, trx);
  if (subscription) await cancellation.endSubscription(subscription, trx);
  if (!endedPlan || !active || endedPlan.creditedCents === 0) {
    await billingRepository.bumpVersion(account.organization_id, account.balance_cents, trx);
    return endedPlan;
  }
  const draft = draftUnusedTimeInvoice(active, endedPlan.creditedCents);
  const invoice = await invoicesRepository.create(
    {
      organizationId: account.organization_id,
      kind: "change",
      draft,
      status: "paid",
      subscriptionId: endedPlan.subscriptionId,
      planId: endedPlan.planId,
      quantity: endedPlan.quantity,
      period: { start: clock.now(), end: endedPlan.periodEnd },
      rate,
      isTest,
    },
    trx,
  );
  await postings.applyBalanceChange(account, invoice, draft.carriedCents, trx);
  return endedPlan;
}
