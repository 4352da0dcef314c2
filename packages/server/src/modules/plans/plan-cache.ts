import { LRUCache } from "lru-cache";
import type { CurrentPlan, PlansRepository } from "./plans.repository.ts";

const TRUST = 1_000;

/** Plans of organizations for the gateway, remembered for a second. */
export function createPlanCache(plans: PlansRepository) {
  const known = new LRUCache<string, CurrentPlan>({ max: 10_000, ttl: TRUST });
  return {
    async current(organizationId: string): Promise<CurrentPlan> {
      const cached = known.get(organizationId);
      if (cached) return cached;
      const plan = await plans.current(organizationId);
      known.set(organizationId, plan);
      return plan;
    },
    /** Makes a change of plan hold at once in this process. */
    forget: (organizationId: string): void => void known.delete(organizationId),
    /** The same for a change of the plans themselves. */
    forgetAll: (): void => known.clear(),
  };
}
