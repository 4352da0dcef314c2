import type { Plan } from "@feather/sdk";
import { currencyDecimals } from "@feather/sdk/format";
import { plural, t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";
import { formatMoney } from "#/entities/money/money.ts";
import { createNumberFormat } from "#/lib/format.ts";
import { isPaidPlan } from "./paid-plan.ts";
import { priceOf, USD } from "./plan-price.ts";

/** Returns an amount without decimals that are all zero: `$25`, `€18.40`. */
function formatShort(amount: number, currency: string): string {
  const scale = 10 ** currencyDecimals(currency);
  if (amount % scale !== 0) return formatMoney(amount, currency);
  return createNumberFormat({
    style: "currency",
    currency,
    currencyDisplay: currency === USD ? "narrowSymbol" : "symbol",
    maximumFractionDigits: 0,
  }).format(amount / scale);
}

/** Returns the price of a quantity of a plan in a currency, such as "$25" or "Free". */
export function formatPrice(plan: Plan, currency: string, quantity = 1): string {
  const price = priceOf(plan, currency);
  if (price === null) return t`Talk to us`;
  return price === 0 ? t`Free` : formatShort(price * quantity, currency);
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

/** Returns the price of a plan in a currency with its period. */
export const formatPriceAndPeriod = (plan: Plan, currency: string): string => {
  const amount = formatPrice(plan, currency);
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
