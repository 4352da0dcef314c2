import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";

export type ErrorRate = {
  modelClass: string;
  modelId: string | null;
  requests: number;
  errors: number;
  p50FirstByteMs: number | null;
  p95FirstByteMs: number | null;
  tokensPerSecond: number | null;
};

export type State = "operational" | "degraded" | "down";

const MOST = 500;
/** Fewer requests say nothing of a state, unless all of them failed. */
const ENOUGH = 5;

/** How models did since a moment, by class or by model. Callers who went away, and refusals of ours, are no errors. */
export async function errorRates(db: Database, since: Date, by: "model_class" | "model"): Promise<ErrorRate[]> {
  const model = by === "model" ? sql`r.model_id` : sql`null::text`;
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
      count(*) filter (where r.outcome = 'interrupted' or (r.outcome = 'failed' and (r.status >= 500 or r.status = 200)))::int as errors,
      percentile_cont(0.5) within group (order by r.first_byte_ms) filter (where r.outcome = 'completed') as p50,
      percentile_cont(0.95) within group (order by r.first_byte_ms) filter (where r.outcome = 'completed') as p95,
      sum(r.completion_tokens) filter (where r.outcome = 'completed' and r.streamed and r.duration_ms > r.first_byte_ms)
        * 1000.0 / nullif(sum(r.duration_ms - r.first_byte_ms)
          filter (where r.outcome = 'completed' and r.streamed and r.duration_ms > r.first_byte_ms), 0) as speed
    from requests r
    left join models m on m.id = r.model_id
    where r.started_at >= ${since} and not coalesce(m.is_private, ${by === "model"})
    group by 1, 2
    order by 3 desc, 1, 2
    limit ${MOST}`.execute(db);
  return rows.map((row) => ({
    modelClass: row.model_class,
    modelId: row.model_id,
    requests: row.requests,
    errors: row.errors,
    p50FirstByteMs: whole(row.p50),
    p95FirstByteMs: whole(row.p95),
    tokensPerSecond: row.speed === null ? null : Math.round(Number(row.speed) * 10) / 10,
  }));
}

export function stateOf({ requests, errors }: Pick<ErrorRate, "requests" | "errors">): State {
  const rate = errors / requests;
  if (errors === requests && errors > 1) return "down";
  if (requests < ENOUGH) return errors > 0 ? "degraded" : "operational";
  if (rate >= 0.5) return "down";
  return rate >= 0.05 ? "degraded" : "operational";
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
