import { sql } from "kysely";
import { TOKENS_PER_SECOND } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { DAY_S, HOUR_S } from "../../platform/core/time.ts";
import type { DeploymentRow } from "./deployments.repository.ts";

const MAX_BUCKETS = 300;
/** Bucket sizes that are easy to read, in seconds. */
const BUCKET_SIZES_S = [60, 300, 900, HOUR_S, 6 * HOUR_S, DAY_S, 7 * DAY_S, 30 * DAY_S];

type MetricsRow = {
  bucket: Date;
  requests: number;
  errors: number;
  p50_ttft_ms: number | null;
  tokens_per_s: number | null;
};

/** Returns a function that reads the requests, errors and speed of a deployment over time from its usage rows. */
export function createDeploymentMetrics(db: Database, clock: Clock) {
  return async ({ id, organization_id }: DeploymentRow, query: { start?: number; end?: number }) => {
    const end = query.end ?? Math.ceil(clock.now().getTime() / 1000);
    const start = query.start ?? end - DAY_S;
    if (start >= end) throw errors.invalidRequest("start is not valid: it must be before end.", { param: "start" });
    const bucketSeconds =
      BUCKET_SIZES_S.find((seconds) => (end - start) / seconds <= MAX_BUCKETS) ??
      Math.ceil((end - start) / MAX_BUCKETS);
    const { rows } = await sql<MetricsRow>`
      select date_bin(make_interval(secs => ${bucketSeconds}::double precision), started_at, timestamptz 'epoch') as bucket,
        count(*)::integer as requests,
        count(*) filter (where outcome = 'failed')::integer as errors,
        round(percentile_cont(0.5) within group (order by first_byte_ms))::integer as p50_ttft_ms,
        round((${TOKENS_PER_SECOND})::numeric, 1)::double precision as tokens_per_s
      from requests r
      where organization_id = ${organization_id} and backend = ${id}
        and started_at >= to_timestamp(${start}) and started_at < to_timestamp(${end})
      group by 1 order by 1`.execute(db);
    return { items: rows.map(({ bucket, ...sums }) => ({ bucket_at: bucket.toISOString(), ...sums })) };
  };
}
