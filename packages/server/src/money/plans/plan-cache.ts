import { type CacheOptions, createCache } from "../../platform/core/replicas/cache.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { CurrentPlan, PlansRepository } from "./plans.repository.ts";

const PLAN_CACHE: CacheOptions = { max: 10_000, ttlMs: 1_000, tables: ["plans", "subscriptions", "coupons"] };

/** Caches the plans of organizations for the gateway, for a second. */
export function createPlanCache(plansRepository: PlansRepository, replicas: Replicas) {
  const cache = createCache<CurrentPlan>(replicas, PLAN_CACHE);
  return {
    current: async (organizationId: string): Promise<CurrentPlan> =>
      cache.read(organizationId, () => plansRepository.findCurrent(organizationId)),
    /** Deletes the cached plan of an organization, so that this process uses its new plan immediately. */
    invalidate: cache.delete,
    /** Clears the cache, so that this process uses changed plans immediately. */
    invalidateAll: cache.clear,
  };
}
