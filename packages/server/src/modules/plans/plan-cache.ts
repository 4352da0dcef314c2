import { type CacheOptions, createCache } from "../../core/replicas/cache.ts";
import type { Replicas } from "../../core/replicas/replicas.ts";
import type { CurrentPlan, PlansRepository } from "./plans.repository.ts";

const PLAN_CACHE: CacheOptions = { max: 10_000, ttlMs: 1_000, tables: ["plans", "subscriptions", "coupons"] };

/** Caches the plans of organizations for the gateway, for a second. */
export function createPlanCache(plansRepository: PlansRepository, replicas: Replicas) {
  const cache = createCache<CurrentPlan>(replicas, PLAN_CACHE);
  return {
    current: async (organizationId: string): Promise<CurrentPlan> =>
      cache.read(organizationId, () => plansRepository.findCurrent(organizationId)),
    /** Makes a change of an organization's plan take effect at once in this process. */
    invalidate: cache.delete,
    /** Makes a change of the plans themselves take effect at once in this process. */
    invalidateAll: cache.clear,
  };
}
