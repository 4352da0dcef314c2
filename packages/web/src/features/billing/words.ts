import type { Schemas } from "@feather/sdk";
import { context, count, size } from "#/lib/format.ts";
import { dollars } from "./money.ts";

export type Plan = Schemas["Plan"];
export type Subscription = Schemas["Subscription"];
export type Coupon = Schemas["Coupon"];

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const DAY = 86_400_000;

/** 1 December 2026. Periods begin and end by UTC, so they read the same everywhere. */
export const dayInWords = (at: Date): string => date.format(at);

/** Whole days until then: "today", "1 day left", "12 days left". */
export function daysLeft(until: Date, now: Date = new Date()): string {
  const days = Math.ceil((until.getTime() - now.getTime()) / DAY);
  if (days <= 0) return "ends today";
  return days === 1 ? "1 day left" : `${days} days left`;
}

/** $25.00 a month; null where a plan has no price list. */
export function priceOf({ price_usd_cents, interval }: Plan, quantity = 1): string | null {
  if (price_usd_cents === null) return null;
  return price_usd_cents === 0 ? "Free" : `${dollars(price_usd_cents * quantity)} a ${interval}`;
}

/** The units of a plan bought in a quantity; null for no limit. */
export function unitsOf({ concurrency, unit_based }: Plan, quantity = 1): number | null {
  if (concurrency === null) return null;
  return unit_based ? concurrency * quantity : concurrency;
}

export function unitsText(units: number | null): string {
  if (units === null) return "no limit of units";
  return units === 1 ? "1 unit" : `${count(units)} units`;
}

/** What a coupon gives, in words: "20 % off, for 3 months". */
export function couponWords({ percent_off, amount_off_cents, duration, months }: Coupon): string {
  const off = percent_off === null ? `${dollars(amount_off_cents ?? 0)} off` : `${percent_off} % off`;
  if (duration === "forever") return `${off} every invoice`;
  if (duration === "once") return `${off} one invoice`;
  return `${off} for ${months === 1 ? "1 month" : `${months} months`}`;
}

const REASONS: Record<NonNullable<Coupon["reason"]>, string> = {
  expired: "This coupon is too old.",
  ended: "This coupon has ended.",
  used_up: "This coupon was used as often as it may be.",
  already_used: "You used this coupon before.",
  not_for_plan: "This coupon is not for this plan.",
};

/** Why a coupon cannot be used; null when it can. */
export const couponFault = ({ valid, reason }: Coupon): string | null =>
  valid ? null : reason === null ? "This coupon cannot be used." : REASONS[reason];

export type Standing = { tier: "good" | "bad" | "loading" | "cold"; word: string };

/** The state of a subscription as a dot and a word. */
export function standingOf({ status, cancel_at_period_end }: Subscription): Standing {
  if (status === "past_due") return { tier: "bad", word: "payment due" };
  if (status === "canceled") return { tier: "cold", word: "ended" };
  if (status === "paused") return { tier: "cold", word: "paused" };
  if (cancel_at_period_end) return { tier: "loading", word: "canceled" };
  return status === "trialing" ? { tier: "good", word: "trial" } : { tier: "good", word: "active" };
}

/** Whether it is paid for here: the free plan has no id, and one that a marketplace collects for has no period. */
export const isPaidHere = ({ id, current_period_end_date }: Subscription): boolean =>
  id !== null && current_period_end_date !== null;

/** What comes next: the sentence under the price. */
export function nextOf(subscription: Subscription): string {
  const { id, status, plan, quantity, current_period_end_date: end, trial_end_date: trialEnd } = subscription;
  if (id === null) return "It costs nothing and does not end.";
  if (end === null) return "It goes on until it is canceled.";
  const on = dayInWords(end);
  if (status === "past_due") return "It ends when the open invoice stays unpaid.";
  if (subscription.cancel_at_period_end) return `It ends on ${on}. Then you are on the free plan.`;
  if (subscription.pending_change) return `It changes on ${on}.`;
  if (status === "trialing" && trialEnd)
    return `The trial ends on ${dayInWords(trialEnd)}. Then it costs ${priceOf(plan, quantity)}.`;
  return `It renews on ${on}.`;
}

/** What a plan allows, one fact a line. */
export function factsOf(plan: Plan, quantity = 1): [string, string][] {
  return [
    ["Units", unitsText(unitsOf(plan, quantity))],
    ["Largest model", plan.max_model_size === null ? "any" : `${size(plan.max_model_size)} parameters`],
    [
      "Longest context",
      plan.max_context_length === null ? "the model's own" : `${context(plan.max_context_length)} tokens`,
    ],
    ["Requests a day", plan.daily_request_limit === null ? "no limit" : count(plan.daily_request_limit)],
    ["Private models", plan.private_models === null ? "no limit" : count(plan.private_models)],
    ["Private cloud", plan.private_cloud ? "yes" : "no"],
    ["API keys", count(plan.api_keys_max)],
  ];
}
