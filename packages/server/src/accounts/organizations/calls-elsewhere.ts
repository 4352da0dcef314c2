import type { Database } from "../../platform/core/db/connect.ts";
import { type CacheOptions, createCache } from "../../platform/core/replicas/cache.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";

const CACHE: CacheOptions = { max: 50_000, ttlMs: 10_000, tables: ["organizations"] };

type Ports = {
  db: Database;
  replicas: Replicas;
  /** What holds for organizations that have decided nothing. */
  isAllowedByDefault: boolean;
};

/** Creates the lookup of whether calls of organizations may go elsewhere, with a cache, since every call may need it. */
export function createCallsElsewhere({ db, replicas, isAllowedByDefault }: Ports) {
  const cache = createCache<boolean>(replicas, CACHE);
  return {
    isAllowedByDefault,

    /** Returns whether calls of an organization may go to providers and other public addresses. */
    isAllowed: (organizationId: string): boolean | Promise<boolean> =>
      cache.read(organizationId, async () => {
        const row = await db
          .selectFrom("organizations")
          .select("calls_elsewhere")
          .where("id", "=", organizationId)
          .executeTakeFirst();
        return row?.calls_elsewhere ?? isAllowedByDefault;
      }),

    /** Clears the cache, so that this process uses a decision immediately. */
    invalidate: cache.clear,
  };
}

/** The lookup of whether calls of organizations may go elsewhere. */
export type CallsElsewhere = ReturnType<typeof createCallsElsewhere>;
