import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createRequestPartitions, dropRequestPartitions } from "../../platform/core/db/request-partitions.ts";
import type { Job } from "../../platform/core/jobs.ts";
import { DAY_MS, HOUR_S } from "../../platform/core/time.ts";

/**
 * Creates the job that creates partitions for the requests of the next months, and removes months that are older than
 * `retentionDays`. If that is undefined, it removes none.
 */
export function createRetentionJob(db: Database, clock: Clock, retentionDays: number | undefined): Job {
  return {
    name: "keep usage by months",
    everySeconds: HOUR_S,
    run: async () => {
      const now = clock.now();
      await createRequestPartitions(db, now);
      if (retentionDays !== undefined)
        await dropRequestPartitions(db, new Date(now.getTime() - retentionDays * DAY_MS));
    },
  };
}
