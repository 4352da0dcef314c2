import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import type { CurrentPlan, PlanRow, PlansRepository } from "./plans.repository.ts";
import { unitsOf } from "./plans.repository.ts";

type Plan = components["schemas"]["Plan"];
type Subscription = components["schemas"]["Subscription"];

export function planRoutes({ plans }: { plans: PlansRepository }): Handlers {
  return {
    "subscription.plans": async () => ({ items: (await plans.listPublic()).map(presentPlan) }),
    "subscription.get": async ({ actor }) => presentSubscription(await plans.current(signedIn(actor).organizationId)),
    "plan.get": async ({ actor }) => {
      const current = await plans.current(signedIn(actor).organizationId);
      const { id, name, max_context_length, max_model_size } = current.plan;
      return { id, name, max_context_length, max_model_size, concurrency: unitsOf(current) };
    },
  };
}

export function presentPlan({ billing_interval, position: _, audience, billing_mode, ...plan }: PlanRow): Plan {
  return {
    ...plan,
    audience: audience as Plan["audience"],
    billing_mode: billing_mode as Plan["billing_mode"],
    interval: billing_interval as Plan["interval"],
  };
}

export function presentSubscription({ plan, quantity, subscription }: CurrentPlan): Subscription {
  return {
    id: subscription?.id ?? null,
    status: (subscription?.status ?? "active") as Subscription["status"],
    plan: presentPlan(plan),
    quantity,
    current_period_start_date: (subscription?.startDate ?? new Date(0)).toISOString(),
    current_period_end_date: subscription?.endDate?.toISOString() ?? null,
    cancel_at_period_end: subscription?.cancelAtPeriodEnd ?? false,
    coupon: null,
    pending_change: null,
    trial_end_date: null,
  };
}
