import { hash } from "node:crypto";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/connect.ts";
import type { Replicas } from "../replicas/replicas.ts";
import { SECOND_MS } from "../time.ts";

/** The name of a limit, and the allowed number of `points` in `duration` seconds. */
export type LimiterOptions = { name: string; points: number; duration: number };
/** Counts requests by key. */
export type Limiter = {
  /** Counts a request. Returns null if it is allowed, otherwise the milliseconds until the key is allowed again. */
  consume(key: string): Promise<number | null>;
};
/** Creates a rate limit. */
export type CreateLimiter = (options: LimiterOptions) => Limiter;

type Deps = { db: Database; clock: Clock; replicas: Pick<Replicas, "isAlone"> };

/** The number of refused keys that each limit keeps in memory. */
const MAX_REMEMBERED = 10_000;

/** Returns the function that creates rate limits: in memory if this process is alone, otherwise shared by all processes. */
export function chooseLimiters({ replicas, ...deps }: Deps): CreateLimiter {
  return replicas.isAlone ? createMemoryLimiter : (options) => createSharedLimiter(deps, options);
}

/** Creates a rate limit that only this process counts. */
export function createMemoryLimiter({ points, duration }: LimiterOptions): Limiter {
  const limiter = new RateLimiterMemory({ points, duration });
  return {
    async consume(key) {
      try {
        await limiter.consume(key);
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
        throw refusal;
      }
    },
  };
}

/**
 * Creates a rate limit in the table `rate_limits`. Keys over the limit are kept in memory, so that refusals need no query.
 * While the database does not respond, each process counts on its own.
 */
function createSharedLimiter({ db, clock }: Omit<Deps, "replicas">, options: LimiterOptions): Limiter {
  const insurance = createMemoryLimiter(options);
  const refusedUntil = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return {
    async consume(key) {
      const now = clock.now().getTime();
      const until = refusedUntil.get(key);
      if (until !== undefined && now < until) return until - now;
      const counted = await countRequest(db, options, key, now).catch(() => null);
      if (counted === null) return insurance.consume(key);
      if (counted.points <= options.points) return null;
      refusedUntil.set(key, counted.endsAt);
      return counted.endsAt - now;
    },
  };
}

/** Counts a request in the current period of its key, or starts a new period. `now` is in milliseconds since 1970. */
async function countRequest(db: Database, { name, duration }: LimiterOptions, key: string, now: number) {
  const row = await db
    .insertInto("rate_limits")
    // Keys are hashed, because they contain user input of any length, and addresses of people.
    .values({
      key: hash("sha256", `${name} ${key}`, "buffer"),
      points: 1,
      ends_at: new Date(now + duration * SECOND_MS),
    })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        points: sql<number>`case when rate_limits.ends_at <= ${new Date(now)} then 1 else rate_limits.points + 1 end`,
        ends_at: sql<Date>`case when rate_limits.ends_at <= ${new Date(now)} then excluded.ends_at else rate_limits.ends_at end`,
      }),
    )
    .returning(["points", "ends_at"])
    .executeTakeFirstOrThrow();
  return { points: row.points, endsAt: row.ends_at.getTime() };
}

/** Deletes the counts of periods that have ended. */
export async function deleteEndedLimits(db: Database, now: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("ends_at", "<", now).execute();
}
