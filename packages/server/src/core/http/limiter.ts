import { hash } from "node:crypto";
import { CompiledQuery } from "kysely";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import type { Database } from "../db/connect.ts";
import type { Replicas } from "../replicas/replicas.ts";

/** Its name, and the allowed number of `points` in `duration` seconds. */
export type LimiterOptions = { keyPrefix: string; points: number; duration: number };
/** `consume` rejects with a `RateLimiterRes` when a key has used up its points. */
export type Limiter = Pick<RateLimiterAbstract, "consume">;
/** Creates a rate limit that counts each key. */
export type CreateLimiter = (options: LimiterOptions) => Limiter;
type LimiterQuery = { text: string; values: unknown[] };

/** Returns what creates rate limits: in memory where this process is alone, otherwise counted by all processes together. */
export function chooseLimiters(db: Database, { isAlone }: Pick<Replicas, "isAlone">): CreateLimiter {
  return isAlone ? createMemoryLimiter : (options) => createSharedLimiter(db, options);
}

/** Creates a rate limit of this process alone. */
export const createMemoryLimiter: CreateLimiter = (options) => new RateLimiterMemory(options);

/**
 * A rate limit that all processes on one database count together, in the table `rate_limits`. A key that has used it up is
 * remembered in memory, so that refusals need no query. While the database does not answer, each process counts alone.
 */
function createSharedLimiter(db: Database, options: LimiterOptions): Limiter {
  const limiter = new RateLimiterPostgres({
    ...options,
    storeClient: { query: (query: LimiterQuery) => runQuery(db, query) },
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true, // by a migration: the server may not create tables
    clearExpiredByTimeout: false, // a job deletes them
    inMemoryBlockOnConsumed: options.points,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  // Keys are as long as clients want, and name people.
  return { consume: (key) => limiter.consume(hash("sha256", String(key), "base64url")) };
}

async function runQuery(db: Database, { text, values }: LimiterQuery) {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
  return { rows, rowCount: rows.length };
}

/** Deletes what was counted in periods that have ended. */
export async function deleteEndedLimits(db: Database, now: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("expire", "<", now.getTime()).execute();
}
