import type { RoutingRules } from "../../gateway/index.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type CacheOptions, createCache } from "../../platform/core/replicas/cache.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { createRoutingRepository } from "./routing.repository.ts";

/** Every call reads the rules, so they are kept longer than what few calls read. A change clears them at once. */
const CACHE: CacheOptions = { max: 1, ttlMs: MINUTE_MS, tables: ["routing_aliases", "routing_rules"] };
const KEY = "rules";

/** Creates what reads the operator's rules for calls, from memory as long as they have not changed. */
export function createRoutingRules({ db, replicas }: { db: Database; replicas: Replicas }) {
  const routingRepository = createRoutingRepository(db);
  const cache = createCache<RoutingRules>(replicas, CACHE);
  async function load(): Promise<RoutingRules> {
    const [aliases, rules] = await Promise.all([routingRepository.listAliases(), routingRepository.readRules()]);
    return { aliases: new Map(aliases.map(({ name, models }) => [name, { name, models }])), ...rules };
  }
  return {
    read: () => cache.read(KEY, load),
    /** Makes the next call of this process read them from the database. */
    invalidate: () => cache.clear(),
  };
}

export type RoutingRulesReader = ReturnType<typeof createRoutingRules>;
