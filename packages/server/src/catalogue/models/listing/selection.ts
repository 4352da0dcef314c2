import { type SelectQueryBuilder, sql } from "kysely";
import type { FitVerdict } from "../../../hosting/hosts/index.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { DB } from "../../../platform/core/db/schema.generated.ts";
import {
  type CatalogueContext,
  type CatalogueQuery,
  createFilters,
  fitCondition,
  fitOf,
  listWarmKeys,
  trendWindowStart,
} from "./catalogue.query.ts";
import { NEWEST_FIRST, toSortOrder } from "./sort-orders.ts";

/** A query on `models` with conditions and no columns yet. */
export type Selection = SelectQueryBuilder<DB, "models", object>;

/** The order of verdicts, the best first. */
const VERDICTS: readonly FitVerdict[] = ["fits", "fits_quantized", "unknown", "too_large"];
/** Up to this number, models are counted exactly. Above it, the database estimates. */
export const MAX_EXACT_COUNT = 10_000;

/** Returns the models that match a query, without applying the excluded filters. */
export function selectModels(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  excludedFilters: readonly string[] = [],
  from: Selection = db.selectFrom("models"),
): Selection {
  const conditions = Object.entries(createFilters(query, context)).filter(([name]) => !excludedFilters.includes(name));
  return conditions.reduce<Selection>((select, [, where]) => (where ? select.where(where) : select), from);
}

/** Returns the number of models: exact up to `MAX_EXACT_COUNT`, otherwise an estimate. */
export async function countModels(selection: Selection, db: Database): Promise<number> {
  const { count } = await db
    .selectFrom(
      selection
        .select(sql<number>`1`.as("one"))
        .limit(MAX_EXACT_COUNT + 1)
        .as("some"),
    )
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count <= MAX_EXACT_COUNT ? count : estimateCount(selection);
}

/** Returns the database's estimate, at least `MAX_EXACT_COUNT + 1`. */
export async function estimateCount(selection: Selection): Promise<number> {
  const [plan] = await selection
    .select("models.id")
    .explain<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>("json");
  return Math.max(plan?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0, MAX_EXACT_COUNT + 1);
}

/** Returns the ids on a page in the requested order: by a column, by fit, by calls, or by default with warm models first. */
export async function listPageIds(
  selection: Selection,
  sort: CatalogueQuery["sort"],
  context: CatalogueContext,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const order = toSortOrder(sort);
  if (sort === "fit") return listIdsByFit(selection, context, { limit, offset });
  if (order !== null) return fetchIds(selection.select("models.id").orderBy(order).limit(limit).offset(offset));
  const leading = await (sort === undefined ? listWarmIds(selection, context) : listTrendingIds(selection, context));
  const page = leading.slice(offset, offset + limit);
  if (page.length === limit) return page;
  const rest = selection
    .$if(leading.length > 0, (select) => select.where(sql<boolean>`models.id <> all(${leading}::text[])`))
    .select("models.id")
    .orderBy(NEWEST_FIRST)
    .limit(limit - page.length)
    .offset(Math.max(offset - leading.length, 0));
  return [...page, ...(await fetchIds(rest))];
}

/**
 * Returns the ids on a page of models by verdict, the newest of each first. Each verdict has its own query, because the
 * index on releases returns the first rows at once, while sorting by a computed verdict would read the whole catalogue.
 */
async function listIdsByFit(
  selection: Selection,
  context: CatalogueContext,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const ids: string[] = [];
  let skipped = offset;
  let counts: ReadonlyMap<string, number> | null = null;
  for (const verdict of VERDICTS) {
    const count = counts?.get(verdict) ?? 0;
    if (counts !== null && skipped >= count) {
      skipped -= count;
      continue;
    }
    const models = selection.where(fitCondition(verdict, context)).select("models.id").orderBy(NEWEST_FIRST);
    const found = await fetchIds(models.limit(limit - ids.length).offset(skipped));
    ids.push(...found);
    if (ids.length === limit) break;
    if (found.length > 0 || skipped === 0) skipped = 0;
    else {
      counts = await countByFit(selection, context);
      skipped -= counts.get(verdict) ?? 0;
    }
  }
  return ids;
}

async function countByFit(selection: Selection, context: CatalogueContext): Promise<ReadonlyMap<string, number>> {
  const rows = await selection
    .select((eb) => [
      fitOf(context, sql.ref("models.id"), sql.ref("models.parameter_size")).as("verdict"),
      eb.fn.countAll<number>().as("count"),
    ])
    .groupBy("verdict")
    .execute();
  return new Map(rows.map(({ verdict, count }) => [verdict, count]));
}

async function fetchIds(select: { execute(): Promise<{ id: string }[]> }): Promise<string[]> {
  return (await select.execute()).map(({ id }) => id);
}

/** Returns the ids of the warm models that match, the newest first. All are read, since they are few. */
async function listWarmIds(selection: Selection, { tiers }: CatalogueContext): Promise<string[]> {
  const warm = listWarmKeys(tiers);
  if (warm.length === 0) return [];
  const warmSelection = selection.where(sql<boolean>`models.id = any(${warm}::text[])`);
  return fetchIds(warmSelection.select("models.id").orderBy(NEWEST_FIRST));
}

/** Returns the ids of models that were called in the trend's period, the most called first. */
async function listTrendingIds(selection: Selection, { now }: CatalogueContext): Promise<string[]> {
  const calls = sql<{ model_id: string; calls: number }>`(
    select model_id, sum(requests) as calls from usage_hours
    where hour >= ${trendWindowStart(now)} and hour <= ${now} group by model_id
  )`;
  return fetchIds(
    selection
      .innerJoin(calls.as("r"), "r.model_id", "models.id")
      .select("models.id")
      .orderBy("r.calls", "desc")
      .orderBy(NEWEST_FIRST),
  );
}
