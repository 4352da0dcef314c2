import { type RawBuilder, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { startOfHour } from "../../platform/core/time.ts";
import { listFiltered, sumFiltered } from "./filtered-requests.ts";
import { type CountedPeriod, type Period, toCountedPeriod } from "./period.ts";
import type { UsageTotals } from "./request-rows.ts";
import { readUnitsOverTime, type UnitsQuery, type UnitsSlice } from "./units-over-time.ts";

/** The fields by which the report of all organizations can be grouped. */
export type ReportGroup = "hour" | "day" | "month" | "model" | "model_class" | "organization" | "backend" | "outcome";
/** The fields by which the report of one organization can be grouped. */
export type OrganizationReportGroup = Exclude<ReportGroup, "month" | "organization" | "backend"> | "api_key";
/** Sums of one group of a report. */
export type ReportRow = { group: Record<string, string>; errors: number } & UsageTotals;
/**
 * Sums of one group of the report of all organizations: also what providers charge, in nano-USD, and the number of requests that
 * were answered elsewhere at a price that is not known.
 */
export type PlatformReportRow = ReportRow & { providerCostNanoUsd: string; unknownCostRequests: number };

const MAX_REPORT_ROWS = 10_000;

/** The expression of each group in `usage_hours`. */
const COLUMNS: Record<ReportGroup | OrganizationReportGroup, RawBuilder<string>> = {
  hour: sql`to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  day: sql`to_char(hour at time zone 'UTC', 'YYYY-MM-DD')`,
  month: sql`to_char(hour at time zone 'UTC', 'YYYY-MM')`,
  model: sql`model_id`,
  model_class: sql`model_class_id`,
  organization: sql`organization_id`,
  backend: sql`backend`,
  api_key: sql`api_key_id`,
  outcome: sql`outcome`,
};
/** In the report of an organization, private models have the ids with which it calls them. */
const ORGANIZATION_COLUMNS = { ...COLUMNS, model: sql<string>`model_id_of(model_id)` };
/** The columns of `usage_hours` for a single request, and its API key. */
const REQUEST_COLUMNS = sql`
  date_trunc('hour', started_at, 'UTC') as hour, organization_id, model_id, model_class_id, outcome,
  coalesce(api_key_id, '') as api_key_id, 1 as requests, (outcome = 'failed')::integer as errors, prompt_tokens,
  completion_tokens, cost_nano_usd, 0::numeric as provider_cost_nano_usd, 0 as unknown_cost_requests`;
const HOUR_COLUMNS = sql`
  hour, organization_id, model_id, model_class_id, outcome, '' as api_key_id, requests, errors, prompt_tokens,
  completion_tokens, cost_nano_usd, provider_cost_nano_usd, unknown_cost_requests`;

/** Reads usage: requests, totals, reports, and units over time. */
export function createUsageRepository(db: Database) {
  return bind(db, {
    readKeptSince,
    list: listFiltered,
    sum: sumFiltered,
    find: findUsage,
    readTotals,
    readUnitsOverTime: readUnitsOverTimeUsage,
    readRefusals,
    report: reportUsage,
    organizationReport,
  });
}

export type UsageRepository = ReturnType<typeof createUsageRepository>;

/** Returns sums by group: the latest first if grouped by time, else the largest first. */
async function selectSums(
  db: Database,
  source: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  groups: readonly (ReportGroup | OrganizationReportGroup)[],
  columnsByGroup: Record<ReportGroup | OrganizationReportGroup, RawBuilder<string>> = COLUMNS,
): Promise<PlatformReportRow[]> {
  const columns = groups.map((group) => columnsByGroup[group]);
  const group = columns.length > 0 ? sql`array[${sql.join(columns)}]::text[]` : sql`array[]::text[]`;
  const isByTime = groups[0] === "day" || groups[0] === "hour" || groups[0] === "month";
  const { rows } = await sql<{
    names: string[];
    requests: number;
    errors: number;
    input: number;
    output: number;
    cost: string;
    provider_cost: string;
    unknown: number;
  }>`
      select ${group} as names, sum(requests)::float8 as requests, sum(errors)::float8 as errors,
        sum(prompt_tokens)::float8 as input, sum(completion_tokens)::float8 as output, sum(cost_nano_usd)::text as cost,
        sum(provider_cost_nano_usd)::text as provider_cost, sum(unknown_cost_requests)::float8 as unknown
      from ${source} where ${condition}
      group by 1 order by ${isByTime ? sql`(${group})[1] desc, 2 desc, 1` : sql`2 desc, 1`}
      limit ${MAX_REPORT_ROWS}`.execute(db);
  return rows.map(({ names, requests, errors, input, output, cost, provider_cost, unknown }) => ({
    group: Object.fromEntries(groups.map((name, index) => [name, names[index] ?? ""])),
    requests,
    errors,
    inputTokens: input,
    outputTokens: output,
    costNanoUsd: cost,
    providerCostNanoUsd: provider_cost,
    unknownCostRequests: unknown,
  }));
}

/** Returns the time since which no requests were removed; null if none were ever removed. */
async function readKeptSince(db: Database): Promise<Date | null> {
  const { until } = await db
    .selectFrom("usage_removals")
    .select((eb) => eb.fn.max("until").as("until"))
    .executeTakeFirstOrThrow();
  return until;
}

function findUsage(db: Database, organizationId: string, id: string) {
  return db
    .selectFrom("requests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Returns the sums of a period: whole hours from `usage_hours`, partial hours at both ends from the requests. */
async function readTotals(
  db: Database,
  organizationId: string,
  period: Period,
  keptSince: Date | null,
): Promise<UsageTotals> {
  const { from, to, start, end } = toCountedPeriod(period, keptSince);
  const { rows } = await sql<{ requests: number; input: number; output: number; cost: string }>`
        select coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(input), 0)::float8 as input,
          coalesce(sum(output), 0)::float8 as output, coalesce(sum(cost), 0)::text as cost
        from (
          select sum(requests) as requests, sum(prompt_tokens) as input, sum(completion_tokens) as output, sum(cost_nano_usd) as cost
          from usage_hours where organization_id = ${organizationId} and hour >= ${from} and hour < ${to}
          union all
          select count(*), sum(prompt_tokens), sum(completion_tokens), sum(cost_nano_usd)
          from requests where organization_id = ${organizationId} and started_at >= ${start} and started_at < ${end}
            and not (started_at >= ${from} and started_at < ${to})
        ) parts`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("A sum without a row.");
  return { requests: row.requests, inputTokens: row.input, outputTokens: row.output, costNanoUsd: row.cost };
}

function readUnitsOverTimeUsage(db: Database, query: UnitsQuery): Promise<UnitsSlice[] | null> {
  return readUnitsOverTime(db, query);
}

/**
 * Returns the calls that were rejected for lack of units, by the start of their slice in milliseconds since 1970.
 */
async function readRefusals(
  db: Database,
  organizationId: string,
  { start, end }: Period,
  sliceMs: number,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("unit_refusals")
    .select(["minute", "refused"])
    .where("organization_id", "=", organizationId)
    .where("minute", ">=", start)
    .where("minute", "<", end)
    .execute();
  const slices = new Map<number, number>();
  for (const { minute, refused } of rows) {
    const at = Math.floor(minute.getTime() / sliceMs) * sliceMs;
    slices.set(at, (slices.get(at) ?? 0) + refused);
  }
  return slices;
}

/** Returns sums over all organizations, of the hours that the period touches. */
function reportUsage(
  db: Database,
  { start, end }: Period,
  groups: readonly ReportGroup[],
): Promise<PlatformReportRow[]> {
  return selectSums(db, sql`usage_hours`, sql`hour >= ${startOfHour(start)} and hour < ${end}`, groups);
}

/** Returns sums of one organization. `usage_hours` has no API keys, so that a report by key is summed from the requests. */
function organizationReport(
  db: Database,
  organizationId: string,
  { from, to, start, end }: CountedPeriod,
  groups: readonly OrganizationReportGroup[],
): Promise<ReportRow[]> {
  const requests = sql`select ${REQUEST_COLUMNS} from requests
    where organization_id = ${organizationId} and started_at >= ${start} and started_at < ${end}`;
  const source = groups.includes("api_key")
    ? sql`(${requests}) as counted`
    : sql`(
        select ${HOUR_COLUMNS} from usage_hours where organization_id = ${organizationId} and hour >= ${from} and hour < ${to}
        union all ${requests} and not (started_at >= ${from} and started_at < ${to})
      ) as counted`;
  return selectSums(db, source, sql`true`, groups, ORGANIZATION_COLUMNS);
}
