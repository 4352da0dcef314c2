import type { Schemas } from "@feather/sdk";
import { count, dollars, parameters } from "../../output/format.ts";

export type Plan = Schemas["Plan"];

/** Fields that `--json` takes. */
export const PLAN_FIELDS = [
  "id",
  "name",
  "description",
  "audience",
  "billing_mode",
  "price_usd_cents",
  "interval",
  "unit_based",
  "min_quantity",
  "max_quantity",
  "concurrency",
  "max_model_size",
  "max_context_length",
  "model_switches_per_minute",
  "daily_request_limit",
  "private_models",
  "private_cloud",
  "api_keys_max",
  "trial_days",
  "features",
  "is_public",
] as const satisfies readonly (keyof Plan)[];

/** `$20.00 a month`, `$5.00 a month for each unit`, `free`, `by use`, `on request`. */
export function priceText({ billing_mode, price_usd_cents: cents, interval, unit_based }: Plan): string {
  if (billing_mode === "request_pricing") return "by use";
  if (cents === null) return "on request";
  if (cents === 0) return "free";
  return `${dollars(cents)} a ${interval}${unit_based ? " for each unit" : ""}`;
}

/** A limit, or that there is none. */
export const limitText = (limit: number | null): string => (limit === null ? "no limit" : count(limit));

export const sizeText = (size: number | null): string => (size === null ? "no limit" : parameters(size));
