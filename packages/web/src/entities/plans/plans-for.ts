import type { Plan } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatCount } from "#/lib/format.ts";

type ModelRequirements = { parameter_size: number | null; concurrency_cost: number };

/**
 * Returns the plans that include a model, cheapest first, each with its number of parallel requests; null is no limit.
 */
export function listPlansFor(
  plans: readonly Plan[],
  model: ModelRequirements,
): { plan: Plan; atOnce: number | null }[] {
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
 * Returns how many requests can run at the same time if each holds `units` units, for models of more than `above`
 * parameters; a dash if the plan does not include such models, or not enough units.
 */
export function atOnce(plan: Plan, units: number, above: number): string {
  if (plan.max_model_size !== null && plan.max_model_size <= above) return "–";
  if (plan.concurrency === null) return t`no limit`;
  const requests = Math.floor(plan.concurrency / units);
  return requests === 0 ? "–" : formatCount(requests);
}
