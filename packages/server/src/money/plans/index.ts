import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { createPlanCache } from "./plan-cache.ts";
import { createPlansRepository } from "./plans.repository.ts";
import { planRoutes } from "./plans.routes.ts";
import { createPlanAdministration } from "./plans.usecases.ts";

type Ports = {
  db: Database;
  audit: Audit;
  replicas: Replicas;
  /** Whether plans have trials. */
  offersTrials: boolean;
};

/** Creates the plans and the lookup of the plan that an organization is on. */
export function createPlansModule({ db, audit, replicas, offersTrials }: Ports) {
  const plansRepository = createPlansRepository(db);
  const { current, invalidate, invalidateAll } = createPlanCache(plansRepository, replicas);
  const planAdministration = createPlanAdministration({ db, audit, invalidatePlans: invalidateAll });
  return {
    routes: planRoutes({ db, plansRepository, planAdministration, offersTrials }),
    jobs: [],
    api: { plansRepository, currentPlan: current, invalidatePlan: invalidate },
  };
}
export { priceIn } from "./plan-prices.ts";
export { toCouponDto, toSubscriptionDto } from "./plans.dto.ts";
export {
  ADMIN_PLAN_ID,
  type CouponRow,
  type CurrentPlan,
  FREE_PLAN_ID,
  isForSale,
  isPaidPlan,
  type PlanRow,
  type PlansRepository,
} from "./plans.repository.ts";
