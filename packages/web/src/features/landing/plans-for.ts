import type { Schemas } from "@feather/sdk";

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
