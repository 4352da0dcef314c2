import { LRUCache } from "lru-cache";
import type { CurrentPlan, PlansRepository } from "./plans.repository.ts";

const TRUST = 1_000;

/** Caches the plans of organizations for the gateway, for a second. */
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
    /** Makes a change of an organization's plan take effect at once in this process. */
    forget: (organizationId: string): void => void known.delete(organizationId),
    /** Makes a change of the plans themselves take effect at once in this process. */
    forgetAll: (): void => known.clear(),
  };
}
