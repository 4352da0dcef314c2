import type { Plan } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";
import { createNumberFormat } from "#/lib/format.ts";
import { isPaidPlan } from "./paid-plan.ts";

const wholeDollarFormat = createNumberFormat({
  style: "currency",
  currency: "USD",
  currencyDisplay: "narrowSymbol",
  maximumFractionDigits: 0,
});
const dollarFormat = createNumberFormat({ style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
const formatDollars = (cents: number): string =>
  (cents % 100 === 0 ? wholeDollarFormat : dollarFormat).format(cents / 100);

/** Returns the price of a plan, such as "$25" or "Free". */
export function formatPrice({ price_usd_cents: cents }: Plan): string {
  if (cents === null) return t`Talk to us`;
  return cents === 0 ? t`Free` : formatDollars(cents);
}

/** Returns what the price is for, such as "a month" or "a month, for each 8 units". */
export function formatPeriod(plan: Plan, quantity = 1): string {
  const { price_usd_cents: cents, billing_mode, interval, unit_based, concurrency } = plan;
  if (cents === null) return t`by agreement`;
  if (cents === 0) return t`for ever`;
  if (billing_mode === "request_pricing") return t`of credits, then by the token`;
  const period = interval === "year" ? t`a year` : t`a month`;
  if (!unit_based || concurrency === null) return period;
  return quantity > 1
    ? plural(concurrency * quantity, { one: `${period}, for # unit`, other: `${period}, for # units` })
    : plural(concurrency, { one: `${period}, for each unit`, other: `${period}, for each # units` });
}

/** Returns the price of a plan with its period. */
export const formatPriceAndPeriod = (plan: Plan): string => {
  const amount = formatPrice(plan);
  return plan.price_usd_cents === null ? amount : `${amount} ${formatPeriod(plan)}`;
};

/** The action that a plan offers to the current user. */
export type PlanAction = { kind: "current" | "choose" | "free" | "contact"; label: string };

/** Returns the action for a plan. */
export function getPlanAction(plan: Plan, currentId: string | undefined): PlanAction {
  if (plan.id === currentId) return { kind: "current", label: t`Your plan` };
  if (plan.price_usd_cents === null) return { kind: "contact", label: t`Ask the operator` };
  if (!isPaidPlan(plan)) return { kind: "free", label: t`Change to ${plan.name}` };
  return { kind: "choose", label: t`Choose ${plan.name}` };
}

/** Returns the path of the page that changes to a plan. */
export const getChangePath = ({ id, unit_based }: Plan, quantity: number): string =>
  paths.changePlan({ plan: id, ...(unit_based && quantity > 1 && { quantity: String(quantity) }) });

/** Returns a quantity limited to what the plan allows. */
export const clampQuantity = ({ min_quantity, max_quantity }: Plan, requested: number): number =>
  Math.min(Math.max(Number.isFinite(requested) ? Math.round(requested) : min_quantity, min_quantity), max_quantity);
