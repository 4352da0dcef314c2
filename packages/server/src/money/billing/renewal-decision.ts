import { DAY_MS } from "../../platform/core/time.ts";
import { type CurrencyRate, stepOf, toUsdCents } from "../currencies/index.ts";
import {
  type BillingCycle,
  draftPeriodInvoice,
  type InvoiceDraft,
  isSpent,
  listPriceCents,
  nextPeriod,
  type PlanSelection,
} from "../quotes/index.ts";
import type { TaxOf } from "../taxes/index.ts";
import { activeSubscriptionOf, type BillingRepository, discountOf } from "./billing.repository.ts";
import type { BillingState } from "./billing-rows.ts";
import { selectionForPeriod } from "./plan-selection.ts";

/** What the renewal job does with a subscription. */
export type RenewalDecision =
  | { kind: "not due" }
  | { kind: "end" }
  | { kind: "renew"; selection: PlanSelection; cycle: BillingCycle; draft: InvoiceDraft; couponSpent: boolean };

type PendingPlan = Awaited<ReturnType<BillingRepository["findPlan"]>>;

/**
 * Decides what happens to a subscription at the end of its period. `pendingPlan` is the plan that it is scheduled to
 * change to.
 */
export function decideRenewal(
  { account, rate, subscription }: BillingState,
  pendingPlan: PendingPlan,
  now: Date,
  taxOf: TaxOf,
): RenewalDecision {
  const active = activeSubscriptionOf(subscription);
  if (!subscription || !active || subscription.row.current_period_end_date === null || active.periodEnd > now)
    return { kind: "not due" };
  // A past due subscription is not renewed until its open invoice is paid; if it never is, the subscription ends.
  if (subscription.row.status === "past_due") return { kind: "not due" };
  if (subscription.row.cancel_at_period_end) return { kind: "end" };
  const selection = selectionForPeriod(subscription, pendingPlan, active.periodEnd);
  const currentCycle: BillingCycle = {
    anchor: active.anchor,
    periodIndex: active.periodIndex,
    period: { start: active.periodStart, end: active.periodEnd },
    trialEnd: null,
  };
  const period = nextPeriod(selection, active, currentCycle);
  const startsNewCycle = selection.interval !== active.interval;
  const coupon = discountOf(subscription);
  const draft = draftPeriodInvoice(selection, period, coupon, account.balance_cents, taxOf, stepOf(rate.currency));
  const cycle = startsNewCycle
    ? { anchor: period.start, periodIndex: 0, period, trialEnd: null }
    : { anchor: active.anchor, periodIndex: active.periodIndex + 1, period, trialEnd: null };
  return {
    kind: "renew",
    selection,
    cycle,
    draft,
    couponSpent: isSpent(coupon, draft) || isExpiredBy(coupon?.endsAt, period.end),
  };
}

/**
 * Returns the date of the next attempt to collect an invoice after `attempts` attempts; null after the last one. `retryDays`
 * are the days after the invoice on which it is tried again. Missed attempts keep their distance in days, so that the buyer
 * has time to replace the card.
 */
export function nextAttemptDate(
  { attempts, created_at: createdAt }: { attempts: number; created_at: Date },
  retryDays: readonly number[],
  now: Date,
): Date | null {
  const days = retryDays[attempts - 1];
  if (days === undefined) return null;
  const plannedDate = new Date(createdAt.getTime() + days * DAY_MS);
  const gapDays = days - (retryDays[attempts - 2] ?? 0);
  return plannedDate > now ? plannedDate : new Date(now.getTime() + gapDays * DAY_MS);
}

/** Returns the credits that a period of a plan includes, in US cents: what its price is worth; 0 unless the plan is metered. */
export function includedCreditCents(selection: PlanSelection, rate: CurrencyRate): number {
  return selection.metered ? toUsdCents(listPriceCents(selection), rate) : 0;
}

/** Returns whether a coupon has ended by the end of this period. */
function isExpiredBy(endsAt: Date | null | undefined, periodEnd: Date): boolean {
  return endsAt !== null && endsAt !== undefined && endsAt <= periodEnd;
}
