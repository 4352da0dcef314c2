import { sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Period } from "./period.ts";

/** A request that uses units from `start` to `end`. */
export type UnitUsage = { start: Date; end: Date; units: number };
/** A request that is still running; `end` is the current time. */
export type RunningRequest = UnitUsage & { id: string };
/** Units in use in the slice that begins at `at`: the maximum and the time-weighted average. */
export type UnitsSlice = { at: Date; usedMax: number; usedAvg: number };
/** The organization, the period, and the length of its slices in milliseconds. */
export type UnitsQuery = {
  organizationId: string;
  period: Period;
  sliceMs: number;
  running: readonly RunningRequest[];
};

/** Above this number of requests the query would take too long. */
const MAX_REQUESTS = 1_000_000;

type SliceRow = { slice: number; used_max: number; used_avg: number; held: number };

/**
 * Returns the units in use in each slice of a period, of requests that have ended and of those that run: the maximum at
 * any moment, and the time-weighted average. A request that starts at the moment another one ends does not overlap it.
 * Null if there are more than `MAX_REQUESTS` requests. The database aggregates, since there are many requests and few
 * slices.
 */
export async function readUnitsOverTime(db: Database, query: UnitsQuery): Promise<UnitsSlice[] | null> {
  const { period, sliceMs } = query;
  if (await hasTooManyRequests(db, query)) return null;
  const from = Math.floor(period.start.getTime() / sliceMs) * sliceMs;
  const count = Math.max(0, Math.ceil((period.end.getTime() - from) / sliceMs));
  const rows = await selectSlices(db, query, from, from + count * sliceMs);
  if (rows.some(({ held }) => held > MAX_REQUESTS)) return null;
  const rowsBySlice = new Map(rows.map((row) => [row.slice, row]));
  return Array.from({ length: count }, (_, slice) => ({
    at: new Date(from + slice * sliceMs),
    usedMax: rowsBySlice.get(slice)?.used_max ?? 0,
    usedAvg: rowsBySlice.get(slice)?.used_avg ?? 0,
  }));
}

/** Returns whether the whole hours of the period alone have too many requests. Reads their sums instead of the requests. */
async function hasTooManyRequests(db: Database, { organizationId, period }: UnitsQuery): Promise<boolean> {
  const { rows } = await sql<{ requests: number }>`
    select coalesce(sum(requests), 0)::float8 as requests from usage_hours
    where organization_id = ${organizationId} and hour >= ${period.start} and hour + interval '1 hour' <= ${period.end}`.execute(
    db,
  );
  return (rows[0]?.requests ?? 0) > MAX_REQUESTS;
}

/** Returns the slices in which units were in use. `from` and `to` are in milliseconds since 1970. */
async function selectSlices(db: Database, query: UnitsQuery, from: number, to: number): Promise<SliceRow[]> {
  const { organizationId, period, sliceMs, running } = query;
  const toColumn = <T>(pick: (held: RunningRequest) => T) => running.map(pick);
  const { rows } = await sql<SliceRow>`
    with ended as (
      select (extract(epoch from started_at) * 1000)::bigint + queued_ms as since,
        (extract(epoch from started_at) * 1000)::bigint + duration_ms as until, units
      from requests
      where organization_id = ${organizationId} and units > 0 and started_at < ${period.end}
        and started_at > ${new Date(from)}::timestamptz - interval '1 day'
        and started_at + duration_ms * interval '1 millisecond' > ${new Date(from)}
        and id <> all(${toColumn(({ id }) => id)}::text[]) -- it has ended since it was seen to run
      limit ${MAX_REQUESTS + 1}
    ), held as (
      select greatest(since, ${from}::bigint) as since, least(until, ${to}::bigint) as until, units
      from (
        select * from ended
        union all
        select * from unnest(
          ${toColumn(({ start }) => start.getTime())}::bigint[],
          ${toColumn(({ end }) => end.getTime())}::bigint[],
          ${toColumn(({ units }) => units)}::integer[]
        )
      ) as requests_of_all (since, until, units)
    ), changes as (
      select at, sum(change) as change
      from (
        select since as at, units as change from held where since < until
        union all
        select until, -units from held where since < until
      ) as begun_or_over
      group by at
    ), stretches as (
      select at as since, lead(at) over by_time as until, sum(change) over by_time as used
      from changes window by_time as (order by at)
    )
    select slice::integer, max(used)::integer as used_max, (select count(*) from ended)::integer as held,
      (sum(used * (
        least(until, ${from}::bigint + (slice + 1) * ${sliceMs}::bigint)
        - greatest(since, ${from}::bigint + slice * ${sliceMs}::bigint)
      )) / ${sliceMs}::bigint)::float8 as used_avg
    from stretches, generate_series(
      (since - ${from}::bigint) / ${sliceMs}::bigint, (until - 1 - ${from}::bigint) / ${sliceMs}::bigint
    ) as slice
    where used > 0 and until is not null
    group by slice`.execute(db);
  return rows;
}
