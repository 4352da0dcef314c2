import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { FitVerdict } from "../../../hosting/hosts/index.ts";
import { BUILT_IN_MODELS } from "../../../hosting/runtimes/index.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { DB } from "../../../platform/core/db/schema.generated.ts";
import {
  type CatalogueContext,
  type CatalogueQuery,
  createFilters,
  fitCondition,
  fitOf,
  trendWindowStart,
} from "./catalogue.query.ts";
import { NEWEST_FIRST, toSortOrder } from "./sort-orders.ts";

/** A query on `models` with conditions and no columns yet. */
export type Selection = SelectQueryBuilder<DB, "models", object>;

/** The verdicts in groups whose order is the list's: by `fit`, the best first. */
const BY_FIT: readonly (readonly FitVerdict[])[] = [["fits"], ["fits_quantized"], ["unknown"], ["too_large"]];
/** By default, what this machine can load comes before what it cannot; in which precision does not matter. */
const LOADABLE_FIRST: readonly (readonly FitVerdict[])[] = [
  ["fits", "fits_quantized"],
  ["unknown", "too_large"],
];
/** The order of models that run here, by their state. */
const TIERS = ["warm", "loading", "cold"] as const;
const BUILT_IN_IDS: ReadonlySet<string> = new Set(BUILT_IN_MODELS.map(({ id }) => id));
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

/**
 * Returns the ids on a page in the requested order: by a column, by fit, by calls, or by default with the models first that
 * run here; then, for users, those that this machine can load.
 */
export async function listPageIds(
  selection: Selection,
  sort: CatalogueQuery["sort"],
  context: CatalogueContext,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const order = toSortOrder(sort);
  if (sort === "fit") return listIdsByVerdict(selection, BY_FIT, context, { limit, offset });
  if (order !== null) return fetchIds(selection.select("models.id").orderBy(order).limit(limit).offset(offset));
  const leading = await (sort === undefined ? listRunningIds(selection, context) : listTrendingIds(selection, context));
  const page = leading.slice(offset, offset + limit);
  if (page.length === limit) return page;
  const others = selection.$if(leading.length > 0, (select) =>
    select.where(sql<boolean>`models.id <> all(${leading}::text[])`),
  );
  const rest = { limit: limit - page.length, offset: Math.max(offset - leading.length, 0) };
  // What this machine can load is shown to its users only.
  if (sort === undefined && context.viewer.userId !== null)
    return [...page, ...(await listIdsByVerdict(others, LOADABLE_FIRST, context, rest))];
  const newest = others.select("models.id").orderBy(NEWEST_FIRST).limit(rest.limit).offset(rest.offset);
  return [...page, ...(await fetchIds(newest))];
}

/**
 * Returns the ids on a page of models by groups of verdicts, the newest of each first. Each group has its own query, because
 * the index on releases returns the first rows at once, while sorting by a computed verdict would read the whole catalogue.
 */
async function listIdsByVerdict(
  selection: Selection,
  groups: readonly (readonly FitVerdict[])[],
  context: CatalogueContext,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const ids: string[] = [];
  let skipped = offset;
  let counts: ReadonlyMap<string, number> | null = null;
  for (const verdicts of groups) {
    const count = countGroup(verdicts, counts);
    if (counts !== null && skipped >= count) {
      skipped -= count;
      continue;
    }
    const isInGroup = (eb: ExpressionBuilder<DB, "models">) =>
      eb.or(verdicts.map((verdict) => fitCondition(verdict, context)));
    const models = selection.where(isInGroup).select("models.id").orderBy(NEWEST_FIRST);
    const found = await fetchIds(models.limit(limit - ids.length).offset(skipped));
    ids.push(...found);
    if (ids.length === limit) break;
    if (found.length > 0 || skipped === 0) skipped = 0;
    else {
      counts = await countByFit(selection, context);
      skipped -= countGroup(verdicts, counts);
    }
  }
  return ids;
}

function countGroup(verdicts: readonly FitVerdict[], counts: ReadonlyMap<string, number> | null): number {
  return verdicts.reduce((sum, verdict) => sum + (counts?.get(verdict) ?? 0), 0);
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

/**
 * Returns the ids of the models that match and are warm, loading or cold, by state: those that answer here, then those that
 * answer elsewhere, then those that come with the platform; the newest of each first. All are read, since they are few.
 */
async function listRunningIds(selection: Selection, { tiers, listHosted }: CatalogueContext): Promise<string[]> {
  if (tiers.size === 0) return [];
  const here = new Set(listHosted("here"));
  const rankOf = (id: string) => (BUILT_IN_IDS.has(id) ? 2 : here.has(id) ? 0 : 1);
  const running = selection.where(sql<boolean>`models.id = any(${[...tiers.keys()]}::text[])`);
  const ids = await fetchIds(running.select("models.id").orderBy(NEWEST_FIRST));
  return TIERS.flatMap((tier) => ids.filter((id) => tiers.get(id) === tier).sort((a, b) => rankOf(a) - rankOf(b)));
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
