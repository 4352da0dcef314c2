import { sql } from "kysely";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";

/**
 * Returns a function that returns the sum of the units of all subscriptions, without plans that have no limit. It asks the
 * database at most once a minute, and returns the last value while that does not answer.
 */
export function createUnitsLimit(db: Database, clock: Clock): () => Promise<number> {
  let value = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now().getTime();
    if (now - readAt < MINUTE_MS) return value;
    readAt = now;
    try {
      value = await readUnitsLimit(db);
    } catch {
      // Metrics must be readable while the database does not answer.
    }
    return value;
  };
}

async function readUnitsLimit(db: Database): Promise<number> {
  const { units } = await db
    .selectFrom("subscriptions")
    .innerJoin("plans", "plans.id", "subscriptions.plan_id")
    .select(sql<number>`coalesce(sum(plans.concurrency * subscriptions.quantity), 0)::int8`.as("units"))
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return units;
}
