import type { components } from "@feather/openapi/schema";
import { type CurrencyRow, unitsPerUsdOf } from "../currencies/index.ts";
import { toPlanPriceDtos } from "./plan-prices.ts";
import type { CouponRow, CurrentPlan, PlanRow } from "./plans.repository.ts";

type Plan = components["schemas"]["Plan"];
type Subscription = components["schemas"]["Subscription"];
type Coupon = components["schemas"]["Coupon"];
type Interval = Plan["interval"];
type PricedCurrency = Pick<CurrencyRow, "code" | "units_per_usd">;

/** Converts a coupon. `reason` says why it cannot be used; null when it can. */
export function toCouponDto(row: CouponRow, reason: Coupon["reason"]): Coupon {
  return {
    code: row.code,
    percent_off: row.percent_off === null ? null : Number(row.percent_off),
    amount_off_cents: row.amount_off_cents,
    duration: row.duration as Coupon["duration"],
    months: row.months,
    applies_to: row.applies_to,
    redeem_by_date: row.redeem_by_date?.toISOString() ?? null,
    max_redemptions: row.max_redemptions,
    valid: reason === null,
    reason,
  };
}

/** Converts a plan, with its prices in these currencies. */
export function toPlanDto(row: PlanRow, currencies: readonly PricedCurrency[]): Plan {
  const { billing_interval, position: _, version: __, audience, billing_mode, ...plan } = row;
  return {
    ...plan,
    prices: toPlanPriceDtos(row, currencies),
    audience: audience as Plan["audience"],
    billing_mode: billing_mode as Plan["billing_mode"],
    priority: plan.priority as Plan["priority"],
    interval: billing_interval as Plan["interval"],
  };
}

/** Converts the plan that an organization is on to its subscription. */
export function toSubscriptionDto({ plan, quantity, rate, since, subscription }: CurrentPlan): Subscription {
  const { pending, endDate, coupon, priceChange } = subscription ?? {};
  return {
    id: subscription?.id ?? null,
    status: (subscription?.status ?? "active") as Subscription["status"],
    plan: toPlanDto(plan, [{ code: rate.currency, units_per_usd: unitsPerUsdOf(rate) }]),
    quantity,
    currency: rate.currency,
    current_period_start_date: (subscription?.startDate ?? since ?? new Date(0)).toISOString(),
    current_period_end_date: endDate?.toISOString() ?? null,
    cancel_at_period_end: subscription?.cancelAtPeriodEnd ?? false,
    coupon: coupon ? toCouponDto(coupon, null) : null,
    pending_change:
      pending && endDate
        ? { plan_id: pending.planId, quantity: pending.quantity, effective_date: endDate.toISOString() }
        : null,
    trial_end_date: subscription?.trialEnd?.toISOString() ?? null,
    price_change: priceChange
      ? {
          price_cents: priceChange.cents,
          interval: priceChange.interval as Interval,
          effective_date: priceChange.from.toISOString(),
        }
      : null,
  };
}
