import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Period } from "./period.ts";

/** A request that uses units from `start` to `end`. */
export type Held = { start: Date; end: Date; units: number };
/** A request that is still running; `end` is the current time. */
export type Running = Held & { id: string };
/** Units in use in the slice that begins at `at`: the maximum and the time-weighted average. */
export type Slice = { at: Date; usedMax: number; usedAvg: number };
/** Whose units, in which period, in slices of how many milliseconds. */
export type Asked = { organizationId: string; period: Period; sliceMs: number; running: readonly Running[] };

/** Above this number of requests the query would take too long. */
const MOST_HELD = 1_000_000;

type Row = { slice: number; used_max: number; used_avg: number; held: number };

/**
 * Returns the units in use in each slice of a period, of requests that have ended and of those that run: the maximum at
 * any moment, and the time-weighted average. A request that starts at the moment another one ends does not overlap it.
 * Null if there are more than `MAX_REQUESTS` requests. The database aggregates, since there are many requests and few
 * slices.
 */
export async function unitsOverTime(db: Database, asked: Asked): Promise<Slice[] | null> {
  const { period, sliceMs } = asked;
  const from = Math.floor(period.start.getTime() / sliceMs) * sliceMs;
  const count = Math.max(0, Math.ceil((period.end.getTime() - from) / sliceMs));
  const rows = await used(db, asked, from, from + count * sliceMs);
  if (rows.some(({ held }) => held > MOST_HELD)) return null;
  const found = new Map(rows.map((row) => [row.slice, row]));
  return Array.from({ length: count }, (_, slice) => ({
    at: new Date(from + slice * sliceMs),
    usedMax: found.get(slice)?.used_max ?? 0,
    usedAvg: found.get(slice)?.used_avg ?? 0,
  }));
}

/** Returns the slices in which units were in use. `from` and `to` are in milliseconds since 1970. */
async function used(db: Database, asked: Asked, from: number, to: number): Promise<Row[]> {
  const { organizationId, period, sliceMs, running } = asked;
  const column = <T>(of: (held: Running) => T) => running.map(of);
  const { rows } = await sql<Row>`
    with ended as (
      select (extract(epoch from started_at) * 1000)::bigint + queued_ms as since,
        (extract(epoch from started_at) * 1000)::bigint + duration_ms as until, units
      from requests
      where organization_id = ${organizationId} and units > 0 and started_at < ${period.end}
        and started_at > ${new Date(from)}::timestamptz - interval '1 day'
        and started_at + duration_ms * interval '1 millisecond' > ${new Date(from)}
        and id <> all(${column(({ id }) => id)}::text[]) -- it has ended since it was seen to run
      limit ${MOST_HELD + 1}
    ), held as (
      select greatest(since, ${from}::bigint) as since, least(until, ${to}::bigint) as until, units
      from (
        select * from ended
        union all
        select * from unnest(
          ${column(({ start }) => start.getTime())}::bigint[],
          ${column(({ end }) => end.getTime())}::bigint[],
          ${column(({ units }) => units)}::integer[]
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
