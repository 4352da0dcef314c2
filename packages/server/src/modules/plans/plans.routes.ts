import type { Settings } from "../../config/settings.ts";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { presentPlan, presentSubscription } from "./plans.present.ts";
import { type PlanRow, type PlansRepository, unitsOf } from "./plans.repository.ts";
import type { PlanAdministration } from "./plans.usecases.ts";

export { presentSubscription };

type Deps = {
  plans: PlansRepository;
  planAdministration: PlanAdministration;
  settings: Pick<Settings, "FEATHER_TRIALS">;
};

/** Routes of plans: the public list, the current plan, and administration. */
export function planRoutes({ plans, planAdministration, settings }: Deps): Handlers {
  /** Converts a public plan; without trial days while trials are switched off. */
  const onOffer = (row: PlanRow) => presentPlan(settings.FEATHER_TRIALS ? row : { ...row, trial_days: 0 });
  return {
    "subscription.plans": async () => ({ items: (await plans.listPublic()).map(onOffer) }),
    "subscription.get": async ({ actor }) => presentSubscription(await plans.current(signedIn(actor).organizationId)),
    "plan.get": async ({ actor }) => {
      const current = await plans.current(signedIn(actor).organizationId);
      const { id, name, max_context_length, max_model_size } = current.plan;
      return { id, name, max_context_length, max_model_size, concurrency: unitsOf(current) };
    },
    "admin.plans.list": async () => ({ items: (await plans.listAll()).map(presentPlan) }),
    "admin.plans.create": async ({ actor, body }) =>
      presentPlan(await planAdministration.create(signedIn(actor), body)),
    "admin.plans.update": async ({ actor, path, body }) =>
      presentPlan(await planAdministration.update(signedIn(actor), path.id, body)),
  };
}
