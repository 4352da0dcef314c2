import type { Coupon, Plan, Subscription } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { formatCents, formatMoney } from "#/entities/money/money.ts";
import { createDateFormat, formatContextLength, formatCount, formatParameterCount } from "#/lib/format.ts";
import { DAY_MS } from "#/lib/time.ts";
import { isPaidPlan } from "./paid-plan.ts";
import { priceOf } from "./plan-price.ts";

const date = createDateFormat({ dateStyle: "long", timeZone: "UTC" });

/** Returns a date such as "1 December 2026". Periods begin and end in UTC, so it is the same in every time zone. */
export const formatLongDate = (at: Date): string => date.format(at);

/** Returns the whole days until a date: "ends today", "1 day left", "12 days left". */
export function formatDaysLeft(until: Date, now: Date = new Date()): string {
  const days = Math.ceil((until.getTime() - now.getTime()) / DAY_MS);
  if (days <= 0) return t`ends today`;
  return plural(days, { one: "# day left", other: "# days left" });
}

/** Returns a plan's price per interval in a currency, such as "$25.00 a month"; null where it has no list price. */
export function formatPlanPrice(plan: Plan, currency: string, quantity = 1): string | null {
  const price = priceOf(plan, currency);
  if (price === null) return null;
  if (price === 0) return t`Free`;
  const amount = formatMoney(price * quantity, currency);
  return plan.interval === "year" ? t`${amount} a year` : t`${amount} a month`;
}

/** Returns the units of a plan in a quantity; null for no limit. */
export function countUnits({ concurrency, unit_based }: Plan, quantity = 1): number | null {
  if (concurrency === null) return null;
  return unit_based ? concurrency * quantity : concurrency;
}

/** Returns a number of units with its noun. */
export function formatUnits(units: number | null): string {
  if (units === null) return t`no limit of units`;
  return plural(units, { one: "# unit", other: "# units" });
}

/** Returns what a coupon gives, such as "20 % off for 3 months". */
export function formatCoupon({ percent_off, amount_off_cents, duration, months }: Coupon): string {
  const off = percent_off === null ? t`${formatCents(amount_off_cents ?? 0)} off` : t`${percent_off} % off`;
  if (duration === "forever") return t`${off} every invoice`;
  if (duration === "once") return t`${off} one invoice`;
  return plural(months ?? 0, { one: `${off} for # month`, other: `${off} for # months` });
}

const COUPON_ERRORS: Record<NonNullable<Coupon["reason"]>, string> = {
  expired: t`This coupon is too old.`,
  ended: t`This coupon has ended.`,
  used_up: t`This coupon was used as often as it may be.`,
  already_used: t`You used this coupon before.`,
  not_for_plan: t`This coupon is not for this plan.`,
};

/** Returns why a coupon cannot be used; null when it can. */
export const getCouponError = ({ valid, reason }: Coupon): string | null =>
  valid ? null : reason === null ? t`This coupon cannot be used.` : COUPON_ERRORS[reason];

/** A label and the color tier of its dot. */
export type StatusLabel = { tier: "good" | "bad" | "loading" | "cold"; label: string };

/** Returns the status of a subscription as label and color tier. */
export function getStatusLabel({ status, cancel_at_period_end }: Subscription): StatusLabel {
  if (status === "past_due") return { tier: "bad", label: t`payment due` };
  if (status === "canceled") return { tier: "cold", label: t`ended` };
  if (status === "paused") return { tier: "cold", label: t`paused` };
  if (cancel_at_period_end) return { tier: "loading", label: t`canceled` };
  return status === "trialing" ? { tier: "good", label: t`trial` } : { tier: "good", label: t`active` };
}

/**
 * Returns whether this server collects the plan's payments. Granted plans and those paid through a marketplace have no
 * period.
 */
export const isCollectedHere = ({ plan, current_period_end_date }: Subscription): boolean =>
  isPaidPlan(plan) && current_period_end_date !== null;

/** Returns a sentence about what happens next: renewal, end, change or end of trial. */
export function describeNextStep(subscription: Subscription): string {
  const { status, plan, quantity, current_period_end_date: end, trial_end_date: trialEnd } = subscription;
  if (!isPaidPlan(plan)) return t`It costs nothing and does not end.`;
  if (end === null) return t`It goes on until it is canceled.`;
  const on = formatLongDate(end);
  if (status === "past_due") return t`It ends when the open invoice stays unpaid.`;
  if (subscription.cancel_at_period_end) return t`It ends on ${on}. Then you are on the free plan.`;
  if (subscription.pending_change) return t`It changes on ${on}.`;
  if (status === "trialing" && trialEnd)
    return t`The trial ends on ${formatLongDate(trialEnd)}. Then it costs ${formatPlanPrice(plan, subscription.currency, quantity) ?? ""}.`;
  return t`It renews on ${on}.`;
}

/** Returns the plan's limits as pairs of label and value. */
export function listPlanLimits(plan: Plan, quantity = 1): [string, string][] {
  return [
    [t`Units`, formatUnits(countUnits(plan, quantity))],
    [
      t`Largest model`,
      plan.max_model_size === null ? t`any` : t`${formatParameterCount(plan.max_model_size)} parameters`,
    ],
    [
      t`Longest context`,
      plan.max_context_length === null ? t`the model's own` : t`${formatContextLength(plan.max_context_length)} tokens`,
    ],
    [t`Requests a day`, plan.daily_request_limit === null ? t`no limit` : formatCount(plan.daily_request_limit)],
    [t`Private models`, plan.private_models === null ? t`no limit` : formatCount(plan.private_models)],
    [t`Private cloud`, plan.private_cloud ? t`yes` : t`no`],
    [t`API keys`, formatCount(plan.api_keys_max)],
  ];
}
