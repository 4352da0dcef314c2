import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { count } from "#/lib/format.ts";

export type Plan = Schemas["Plan"];
type Wanted = { parameter_size: number | null; concurrency_cost: number };

/** Plans that may call a model of this size, the cheapest first, and how many calls to it run side by side. */
export function plansFor(plans: readonly Plan[], model: Wanted): { plan: Plan; atOnce: number | null }[] {
  return plans
    .filter(
      ({ max_model_size, concurrency }) =>
        (max_model_size === null || (model.parameter_size ?? 0) <= max_model_size) &&
        (concurrency === null || concurrency >= model.concurrency_cost),
    )
    .map((plan) => ({
      plan,
      atOnce: plan.concurrency === null ? null : Math.floor(plan.concurrency / model.concurrency_cost),
    }))
    .sort(
      (a, b) =>
        (a.plan.price_usd_cents ?? Number.POSITIVE_INFINITY) - (b.plan.price_usd_cents ?? Number.POSITIVE_INFINITY),
    );
}

/**
 * How many requests a plan runs side by side to models that hold so many units and have more than `above` parameters;
 * an en dash where it runs none.
 */
export function atOnce(plan: Plan, units: number, above: number): string {
  if (plan.max_model_size !== null && plan.max_model_size <= above) return "–";
  if (plan.concurrency === null) return t`no limit`;
  const requests = Math.floor(plan.concurrency / units);
  return requests === 0 ? "–" : count(requests);
}
