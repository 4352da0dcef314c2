import { LRUCache } from "lru-cache";
import type { CurrentPlan, PlansRepository } from "./plans.repository.ts";

const CACHE_TTL_MS = 1_000;

/** Caches the plans of organizations for the gateway, for a second. */
export function createPlanCache(plansRepository: PlansRepository) {
  const cache = new LRUCache<string, CurrentPlan>({ max: 10_000, ttl: CACHE_TTL_MS });
  return {
    async current(organizationId: string): Promise<CurrentPlan> {
      const cached = cache.get(organizationId);
      if (cached) return cached;
      const plan = await plansRepository.findCurrent(organizationId);
      cache.set(organizationId, plan);
      return plan;
    },
    /** Makes a change of an organization's plan take effect at once in this process. */
    invalidate: (organizationId: string): void => void cache.delete(organizationId),
    /** Makes a change of the plans themselves take effect at once in this process. */
    invalidateAll: (): void => cache.clear(),
  };
}
