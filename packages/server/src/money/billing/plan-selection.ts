import type { CurrencyRate } from "../currencies/index.ts";
import { type PlanRow, priceIn } from "../plans/index.ts";
import type { Interval, PlanSelection } from "../quotes/index.ts";
import type { BillingState, SubscriptionRow } from "./billing-rows.ts";

type CurrentSubscription = NonNullable<BillingState["subscription"]>;

/** Returns a plan at its current list price in a currency, for new purchases. */
export function toPlanSelection(plan: PlanRow, quantity: number, rate: CurrencyRate): PlanSelection {
  return {
    planId: plan.id,
    name: plan.name,
    quantity,
    priceCents: priceIn(plan, rate) ?? 0,
    interval: plan.billing_interval as Interval,
    metered: plan.billing_mode === "request_pricing",
    trialDays: plan.trial_days,
  };
}

/** Returns the plan of a subscription at the price and interval agreed when it was bought. */
export function agreedSelection({ row, plan, rate }: CurrentSubscription): PlanSelection {
  const selection = toPlanSelection(plan, row.quantity, rate);
  return {
    ...selection,
    priceCents: row.price_cents ?? selection.priceCents,
    interval: row.billing_interval as Interval,
  };
}

/**
 * Returns the plan and price of the period that begins at `start`: the scheduled plan, the announced price, or the agreed
 * price.
 */
export function selectionForPeriod(
  subscription: CurrentSubscription,
  pendingPlan: PlanRow | undefined,
  start: Date,
): PlanSelection {
  const { row } = subscription;
  if (pendingPlan) {
    const selection = toPlanSelection(pendingPlan, row.pending_quantity ?? 1, subscription.rate);
    return {
      ...selection,
      priceCents: row.pending_price_cents ?? selection.priceCents,
      interval: (row.pending_billing_interval ?? selection.interval) as Interval,
    };
  }
  const agreedPlan = agreedSelection(subscription);
  if (!hasPriceChange(row, start)) return agreedPlan;
  return {
    ...agreedPlan,
    priceCents: row.next_price_cents ?? agreedPlan.priceCents,
    interval: (row.next_billing_interval ?? agreedPlan.interval) as Interval,
  };
}

/** Returns whether an announced price applies to a period that begins at `start`. */
export function hasPriceChange({ next_price_date }: SubscriptionRow, start: Date): boolean {
  return next_price_date !== null && next_price_date <= start;
}

/** Column values that clear a scheduled change of plan. */
export const NO_PENDING_CHANGE = {
  pending_plan_id: null,
  pending_quantity: null,
  pending_price_cents: null,
  pending_billing_interval: null,
} as const;

/** Column values that clear an announced price. */
export const NO_PRICE_CHANGE = { next_price_cents: null, next_billing_interval: null, next_price_date: null } as const;
