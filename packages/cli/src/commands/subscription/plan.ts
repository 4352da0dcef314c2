import type { Plan } from "@feather/sdk";
import { formatCount, formatMoney, formatParameters } from "@feather/sdk/format";

/** Fields that `--json` accepts. */
export const PLAN_FIELDS = [
  "id",
  "name",
  "description",
  "audience",
  "billing_mode",
  "price_usd_cents",
  "prices",
  "interval",
  "unit_based",
  "min_quantity",
  "max_quantity",
  "concurrency",
  "max_model_size",
  "max_context_length",
  "model_switches_per_minute",
  "priority",
  "daily_request_limit",
  "private_models",
  "private_cloud",
  "api_keys_max",
  "trial_days",
  "features",
  "is_public",
] as const satisfies readonly (keyof Plan)[];

/** Returns the price of a plan in a currency: `$20.00 a month`, `$5.00 a month for each unit`, `free`, `by use`, `on request`. */
export function formatPrice(plan: Plan, currency = "USD"): string {
  const { billing_mode, price_usd_cents, prices, interval, unit_based } = plan;
  const cents =
    currency === "USD" ? price_usd_cents : (prices.find((price) => price.currency === currency)?.price_cents ?? null);
  if (billing_mode === "request_pricing") return "by use";
  if (cents === null) return "on request";
  if (cents === 0) return "free";
  return `${formatMoney(cents, currency)} a ${interval}${unit_based ? " for each unit" : ""}`;
}

/** Returns a limit, or `no limit` for null. */
export const formatLimit = (limit: number | null): string => (limit === null ? "no limit" : formatCount(limit));

/** Returns a model size such as `33B`, or `no limit` for null. */
export const formatModelSize = (size: number | null): string => (size === null ? "no limit" : formatParameters(size));
