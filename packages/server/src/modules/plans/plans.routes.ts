import { requireSignedIn } from "../../core/auth/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import type { BillingSettings } from "../billing/billing.settings.ts";
import { toPlanDto, toSubscriptionDto } from "./plans.dto.ts";
import { type PlanRow, type PlansRepository, unitsOf } from "./plans.repository.ts";
import type { PlanAdministration } from "./plans.usecases.ts";

export { toSubscriptionDto };

type Deps = {
  plansRepository: PlansRepository;
  planAdministration: PlanAdministration;
  settings: Pick<BillingSettings, "trials">;
};

/** Routes of plans: the public list, the current plan, and administration. */
export function planRoutes({ plansRepository, planAdministration, settings }: Deps): Handlers {
  /** Converts a public plan; without trial days while trials are switched off. */
  const toOfferedPlanDto = (row: PlanRow) => toPlanDto(settings.trials ? row : { ...row, trial_days: 0 });
  return {
    "subscription.plans": async () => ({ items: (await plansRepository.listPublic()).map(toOfferedPlanDto) }),
    "subscription.get": async ({ actor }) =>
      toSubscriptionDto(await plansRepository.findCurrent(requireSignedIn(actor).organizationId)),
    "plan.get": async ({ actor }) => {
      const currentPlan = await plansRepository.findCurrent(requireSignedIn(actor).organizationId);
      const { id, name, max_context_length, max_model_size } = currentPlan.plan;
      return { id, name, max_context_length, max_model_size, concurrency: unitsOf(currentPlan) };
    },
    "admin.plans.list": async () => ({ items: (await plansRepository.listAll()).map(toPlanDto) }),
    "admin.plans.create": async ({ actor, body }) =>
      toPlanDto(await planAdministration.create(requireSignedIn(actor), body)),
    "admin.plans.update": async ({ actor, path, body }) =>
      toPlanDto(await planAdministration.update(requireSignedIn(actor), path.id, body)),
  };
}
