import type { PlanRow } from "../plans/plans.repository.ts";
import type { Standing, SubscriptionRow } from "./billing.repository.ts";
import type { Interval } from "./periods.ts";
import type { Wanted } from "./quote.ts";

type Live = NonNullable<Standing["live"]>;

/** A plan at its current list price, for new purchases. */
export function wantedOf(plan: PlanRow, quantity: number): Wanted {
  return {
    planId: plan.id,
    name: plan.name,
    quantity,
    priceCents: plan.price_usd_cents ?? 0,
    interval: plan.billing_interval as Interval,
    metered: plan.billing_mode === "request_pricing",
    trialDays: plan.trial_days,
  };
}

/** The plan of a subscription at the price and interval agreed when it was bought. */
export function agreedTerms({ row, plan }: Live): Wanted {
  return {
    ...wantedOf(plan, row.quantity),
    priceCents: row.price_cents ?? plan.price_usd_cents ?? 0,
    interval: row.billing_interval as Interval,
  };
}

/** What the period beginning at `start` is sold at: the scheduled plan, an announced price, or the agreed price. */
export function termsFrom(live: Live, pending: PlanRow | undefined, start: Date): Wanted {
  const { row } = live;
  if (pending) {
    const wanted = wantedOf(pending, row.pending_quantity ?? 1);
    return {
      ...wanted,
      priceCents: row.pending_price_cents ?? wanted.priceCents,
      interval: (row.pending_billing_interval ?? wanted.interval) as Interval,
    };
  }
  const agreed = agreedTerms(live);
  if (!hasPriceChange(row, start)) return agreed;
  return {
    ...agreed,
    priceCents: row.next_price_cents ?? agreed.priceCents,
    interval: (row.next_billing_interval ?? agreed.interval) as Interval,
  };
}

/** Whether an announced price applies to a period that begins at `start`. */
export function hasPriceChange({ next_price_date }: SubscriptionRow, start: Date): boolean {
  return next_price_date !== null && next_price_date <= start;
}

/** Column values that clear a scheduled change of plan. */
export const NOTHING_PENDING = {
  pending_plan_id: null,
  pending_quantity: null,
  pending_price_cents: null,
  pending_billing_interval: null,
} as const;

/** Column values that clear an announced price. */
export const NO_PRICE_CHANGE = { next_price_cents: null, next_billing_interval: null, next_price_date: null } as const;
