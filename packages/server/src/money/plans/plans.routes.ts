import { unitsOf } from "../../gateway/index.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { listCurrencies } from "../currencies/index.ts";
import { countSubscribers } from "./plan-subscribers.ts";
import { toPlanDto, toSubscriptionDto } from "./plans.dto.ts";
import type { PlanRow, PlansRepository } from "./plans.repository.ts";
import type { PlanAdministration } from "./plans.usecases.ts";

type Deps = {
  db: Database;
  plansRepository: PlansRepository;
  planAdministration: PlanAdministration;
  /** Whether plans have trials. */
  offersTrials: boolean;
};

/** Routes of plans: the public list, the current plan, and administration. */
export function planRoutes({ db, plansRepository, planAdministration, offersTrials }: Deps): Handlers {
  /** Returns a public plan; without trial days while trials are switched off. */
  const toOffered = (row: PlanRow) => (offersTrials ? row : { ...row, trial_days: 0 });
  const toDtos = async (rows: readonly PlanRow[]) => {
    const currencies = await listCurrencies(db);
    return rows.map((row) => toPlanDto(row, currencies));
  };
  const toDto = async (row: PlanRow) => toPlanDto(row, await listCurrencies(db));
  return {
    "subscription.plans": async () => ({ items: await toDtos((await plansRepository.listPublic()).map(toOffered)) }),
    "subscription.get": async ({ actor }) => toSubscriptionDto(await plansRepository.findCurrent(actor.organizationId)),
    "plan.get": async ({ actor }) => {
      const currentPlan = await plansRepository.findCurrent(actor.organizationId);
      const { id, name, max_context_length, max_model_size } = currentPlan.plan;
      return { id, name, max_context_length, max_model_size, concurrency: unitsOf(currentPlan) };
    },
    "admin.plans.list": async () => ({ items: await toDtos(await plansRepository.listAll()) }),
    "admin.plans.create": async ({ actor, body }) => toDto(await planAdministration.create(actor, body)),
    "admin.plans.subscribers": async ({ path }) => countSubscribers(db, path.id),
    "admin.plans.update": async ({ actor, path, body }) => toDto(await planAdministration.update(actor, path.id, body)),
  };
}
