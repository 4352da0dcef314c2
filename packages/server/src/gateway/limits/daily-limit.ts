import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { DAY_MS, SECOND_MS } from "../../platform/core/time.ts";

/** Limits the requests of an organization per UTC day. */
export type DailyLimit = {
  /** Returns the error that `consume` would throw now, or null. Does not count a request. */
  findRefusal(organizationId: string, limit: number | null): Promise<AppError | null>;
  /**
   * Counts a request. Throws `rate_limit_exceeded` at the limit. Returns the function that takes the count back if the
   * request is refused later.
   */
  consume(organizationId: string, limit: number): Promise<() => void>;
};

/** Creates the limit of a process that works on its database alone. It counts the usage rows once, and then in memory. */
export function createDailyLimit(db: Database, clock: Clock): DailyLimit {
  const counts = new Map<string, { day: number; count: number }>();

  async function countToday(organizationId: string, day: number): Promise<{ day: number; count: number }> {
    const { count } = await db
      .selectFrom("requests")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("organization_id", "=", organizationId)
      .where("started_at", ">=", new Date(day * DAY_MS))
      .executeTakeFirstOrThrow();
    const today = counts.get(organizationId);
    if (today?.day === day) return today; // a concurrent call has counted meanwhile
    const counted = { day, count };
    counts.set(organizationId, counted);
    return counted;
  }

  /** Returns the count of today, from memory or from the usage rows. */
  async function readToday(organizationId: string): Promise<{ day: number; count: number }> {
    const day = Math.floor(clock.now().getTime() / DAY_MS);
    const known = counts.get(organizationId);
    return known?.day === day ? known : countToday(organizationId, day);
  }

  function refusalOf({ day, count }: { day: number; count: number }, limit: number): AppError | null {
    const secondsToMidnight = Math.ceil(((day + 1) * DAY_MS - clock.now().getTime()) / SECOND_MS);
    return count >= limit ? dailyLimitReached(limit, secondsToMidnight) : null;
  }

  return {
    async findRefusal(organizationId, limit) {
      return limit === null ? null : refusalOf(await readToday(organizationId), limit);
    },

    async consume(organizationId, limit) {
      const today = await readToday(organizationId);
      const refusal = refusalOf(today, limit); // after the wait, in which other requests were counted
      if (refusal !== null) throw refusal;
      today.count += 1;
      return () => {
        today.count -= 1;
      };
    },
  };
}

/** Returns the error for a request over the daily limit. `seconds` is the time until the limit is reset. */
export function dailyLimitReached(limit: number, seconds: number): AppError {
  const message = `The plan allows ${limit} requests a day (plan limit: ${limit}), and they are used up. They start again at midnight UTC.`;
  return errors.rateLimitExceeded(message, {
    retry: false,
    retryAfterSeconds: 30, // clients ignore longer waits
    details: { limit, reset_in_seconds: seconds },
  });
}
