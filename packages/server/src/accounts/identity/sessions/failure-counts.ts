import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Replicas } from "../../../platform/core/replicas/replicas.ts";
import { DAY_MS } from "../../../platform/core/time.ts";

/** Without another failure for this long, a count starts at zero again. */
const FAILURES_TTL_MS = DAY_MS;
const MAX_ENTRIES = 50_000;

/** The number of failures in a row, and the time of the last one in milliseconds since 1970; 0 without any. */
export type Failures = { count: number; lastAt: number };

/** Counts consecutive failures by key. */
export type FailureCounts = {
  read(key: string): Promise<Failures>;
  add(key: string): Promise<void>;
  delete(keys: readonly string[]): Promise<void>;
};

const NO_FAILURES: Failures = { count: 0, lastAt: 0 };

type Deps = { db: Database; clock: Clock; replicas: Pick<Replicas, "isAlone"> };

/** Creates counts in memory, or in the database if several processes share them. */
export function createFailureCounts({ db, clock, replicas }: Deps): FailureCounts {
  return replicas.isAlone ? createMemoryCounts(clock) : createSharedCounts(db, clock);
}

/** Creates counts in memory. The memory is limited: the least recently used entries are evicted. */
function createMemoryCounts(clock: Clock): FailureCounts {
  const counts = new LRUCache<string, Failures>({ max: MAX_ENTRIES });

  async function read(key: string): Promise<Failures> {
    const found = counts.get(key);
    return found && clock.now().getTime() - found.lastAt < FAILURES_TTL_MS ? found : NO_FAILURES;
  }

  return {
    read,
    async add(key) {
      counts.set(key, { count: (await read(key)).count + 1, lastAt: clock.now().getTime() });
    },
    async delete(keys) {
      for (const key of keys) counts.delete(key);
    },
  };
}

function createSharedCounts(db: Database, clock: Clock): FailureCounts {
  const oldest = () => new Date(clock.now().getTime() - FAILURES_TTL_MS);
  return {
    async read(key) {
      const row = await db
        .selectFrom("password_failures")
        .select(["failures", "last_failed_at"])
        .where("key", "=", hashKey(key))
        .where("last_failed_at", ">", oldest())
        .executeTakeFirst();
      return row ? { count: row.failures, lastAt: row.last_failed_at.getTime() } : NO_FAILURES;
    },
    async add(key) {
      await db
        .insertInto("password_failures")
        .values({ key: hashKey(key), failures: 1, last_failed_at: clock.now() })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet((eb) => ({
            failures: eb
              .case()
              .when("password_failures.last_failed_at", ">", oldest())
              .then(eb("password_failures.failures", "+", 1))
              .else(1)
              .end(),
            last_failed_at: eb.ref("excluded.last_failed_at"),
          })),
        )
        .execute();
    },
    async delete(keys) {
      await db.deleteFrom("password_failures").where("key", "in", keys.map(hashKey)).execute();
    },
  };
}

/** Returns the hash of a key. Keys contain user input of any length, and identify people. */
function hashKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** Deletes counts that start at zero again. */
export async function deleteOldFailures(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom("password_failures")
    .where("last_failed_at", "<", new Date(now.getTime() - FAILURES_TTL_MS))
    .execute();
}
