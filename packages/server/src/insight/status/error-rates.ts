import { sql } from "kysely";
import { TOKENS_PER_SECOND } from "../../gateway/index.ts";
import type { Database } from "../../platform/core/db/connect.ts";

/** Requests, errors and speed of a class or a model; `modelId` is null for a class. */
export type ErrorRate = {
  modelClass: string;
  modelId: string | null;
  requests: number;
  errors: number;
  p50FirstByteMs: number | null;
  p95FirstByteMs: number | null;
  tokensPerSecond: number | null;
};

/** How well a model or class works. */
export type ModelState = "operational" | "degraded" | "down";

const MAX_RATES = 500;
/** With fewer requests the error rate is not meaningful, unless all of them failed. */
const MIN_REQUESTS = 5;

// Disconnected clients and requests that the platform rejected are not errors.
const ERROR_COUNT = sql`count(*) filter (where r.outcome = 'interrupted'
  or (r.outcome = 'failed' and (r.status >= 500 or r.status = 200)))::int`;
const MEDIAN_FIRST_BYTE_MS = sql`percentile_cont(0.5) within group (order by r.first_byte_ms) filter (where r.outcome = 'completed')`;

/** Returns the error rates since a time, by class or by model; by model without private models. */
export async function readErrorRates(
  db: Database,
  since: Date,
  groupBy: "model_class" | "model",
): Promise<ErrorRate[]> {
  const model = groupBy === "model" ? sql`r.model_id` : sql`null::text`;
  const { rows } = await sql<{
    model_class: string;
    model_id: string | null;
    requests: number;
    errors: number;
    p50: number | null;
    p95: number | null;
    speed: number | null;
  }>`
    select r.model_class_id as model_class, ${model} as model_id, count(*)::int as requests,
      ${ERROR_COUNT} as errors, ${MEDIAN_FIRST_BYTE_MS} as p50,
      percentile_cont(0.95) within group (order by r.first_byte_ms) filter (where r.outcome = 'completed') as p95,
      ${TOKENS_PER_SECOND} as speed
    from requests r
    left join models m on m.id = r.model_id
    where r.started_at >= ${since} and not coalesce(m.is_private, ${groupBy === "model"})
    group by 1, 2
    order by 3 desc, 1, 2
    limit ${MAX_RATES}`.execute(db);
  return rows.map((row) => ({
    modelClass: row.model_class,
    modelId: row.model_id,
    requests: row.requests,
    errors: row.errors,
    p50FirstByteMs: roundToInteger(row.p50),
    p95FirstByteMs: roundToInteger(row.p95),
    tokensPerSecond: roundToTenth(row.speed),
  }));
}

/** Requests, errors and speed within one hour. */
export type HourlyRate = {
  /** Null for all classes together. */
  modelClass: string | null;
  hour: Date;
  requests: number;
  errors: number;
  p50FirstByteMs: number | null;
  tokensPerSecond: number | null;
};

/**
 * Returns the error rates of each hour since a time, by class and for all together. Hours without requests are left
 * out.
 */
export async function readHourlyRates(db: Database, since: Date): Promise<HourlyRate[]> {
  const { rows } = await sql<{
    model_class: string | null;
    hour: Date;
    requests: number;
    errors: number;
    p50: number | null;
    speed: number | null;
  }>`
    select r.model_class_id as model_class, date_trunc('hour', r.started_at, 'UTC') as hour, count(*)::int as requests,
      ${ERROR_COUNT} as errors, ${MEDIAN_FIRST_BYTE_MS} as p50, ${TOKENS_PER_SECOND} as speed
    from requests r
    where r.started_at >= ${since}
    group by grouping sets ((2), (1, 2))
    order by 2`.execute(db);
  return rows.map((row) => ({
    modelClass: row.model_class,
    hour: row.hour,
    requests: row.requests,
    errors: row.errors,
    p50FirstByteMs: roundToInteger(row.p50),
    tokensPerSecond: roundToTenth(row.speed),
  }));
}

/** Returns the state for an error rate: `down` from 50 %, `degraded` from 5 %. */
export function toModelState({ requests, errors }: Pick<ErrorRate, "requests" | "errors">): ModelState {
  const rate = errors / requests;
  if (errors === requests && errors > 1) return "down";
  if (requests < MIN_REQUESTS) return errors > 0 ? "degraded" : "operational";
  if (rate >= 0.5) return "down";
  return rate >= 0.05 ? "degraded" : "operational";
}

function roundToInteger(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

/** Rounds to one decimal. The driver may return numeric values as text. */
function roundToTenth(value: number | null): number | null {
  return value === null ? null : Math.round(Number(value) * 10) / 10;
}
