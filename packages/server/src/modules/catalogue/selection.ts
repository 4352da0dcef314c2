import { type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { DB } from "../../db/schema.generated.ts";
import {
  byMatch,
  byRelease,
  type CatalogueContext,
  type CatalogueQuery,
  filters,
  namedOrder,
  TAKEN_OVER,
  trendSince,
  warmIn,
} from "./catalogue.query.ts";
import type { Search } from "./search.ts";

export type Selection = SelectQueryBuilder<DB, "models", object>;

/** So many are counted one by one; of more the database estimates. */
const COUNTED = 10_000;
/** Among so many matches of a search the best are looked for, besides those that are called so or stand out. */
const CANDIDATES = 2_000;
/** What very many models hold is looked for among so many of the newest, and of the most downloaded. */
const WELL_KNOWN = 2_500;

/** The models that a query selects, but for what the filters of these names take away. */
export function selected(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  but: readonly string[] = [],
  from: Selection = db.selectFrom("models"),
): Selection {
  const conditions = Object.entries(filters(query, context)).filter(([name]) => !but.includes(name));
  return conditions.reduce<Selection>((select, [, where]) => (where ? select.where(where) : select), from);
}

/** Models that stand for the very many that match, and how many these are by estimate. */
export type Common = { ids: string[]; total: number };

/**
 * What a search finds that very many models match: in a catalogue of a million, looking through all would take long, and
 * those looked for are among the newest and the most downloaded. Undefined where few match, or nothing is searched.
 */
export async function commonMatches(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  but: readonly string[] = [],
): Promise<Common | undefined> {
  if (!context.search) return undefined;
  const size = await sizeOfCatalogue(db);
  if (size <= COUNTED) return undefined;
  const ids: string[] = [];
  for (const order of [byRelease, sql`models.downloads desc, models.id_lower`]) {
    const leading = db.selectFrom("models").selectAll().orderBy(order).limit(WELL_KNOWN).as("models");
    ids.push(...(await idsOf(selected(db, query, context, but, db.selectFrom(leading)).select("models.id"))));
  }
  const total = Math.round((ids.length * size) / (2 * WELL_KNOWN));
  return total > COUNTED ? { ids: [...new Set(ids)], total } : undefined;
}

/** As the database knows it without counting. */
async function sizeOfCatalogue(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select reltuples::float8 as size from pg_class where oid = 'models'::regclass`.execute(db);
  return rows[0]?.size ?? 0;
}

/** Exactly, or an estimate where there are very many. */
export async function countOf(selection: Selection, db: Database): Promise<number> {
  const { count } = await db
    .selectFrom(
      selection
        .select(sql<number>`1`.as("one"))
        .limit(COUNTED + 1)
        .as("some"),
    )
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count <= COUNTED) return count;
  const [plan] = await selection
    .select("models.id")
    .explain<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>("json");
  return Math.max(plan?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0, COUNTED + 1);
}

/** The ids on a page, in their order. */
export async function idsOn(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  limit: number,
  offset: number,
  common: Common | undefined,
): Promise<string[]> {
  const selection = selected(db, query, context);
  const order = namedOrder(query.sort);
  if (order !== null) return idsOf(selection.select("models.id").orderBy(order).limit(limit).offset(offset));
  if (query.sort === undefined && context.search)
    return idsOf(bestMatches(db, selection, context.search, context, common).limit(limit).offset(offset));
  const leading = await (query.sort === undefined ? answering(selection, context) : trending(selection, context));
  const page = leading.slice(offset, offset + limit);
  if (page.length === limit) return page;
  const rest = selection
    .$if(leading.length > 0, (select) => select.where(sql<boolean>`models.id <> all(${leading}::text[])`))
    .select("models.id")
    .orderBy(byRelease)
    .limit(limit - page.length)
    .offset(Math.max(offset - leading.length, 0));
  return [...page, ...(await idsOf(rest))];
}

async function idsOf(select: { execute(): Promise<{ id: string }[]> }): Promise<string[]> {
  return (await select.execute()).map(({ id }) => id);
}

/** Models that answer now stand first. They are few. */
async function answering(selection: Selection, { tiers }: CatalogueContext): Promise<string[]> {
  const warm = warmIn(tiers);
  if (warm.length === 0) return [];
  const among = selection.where(sql<boolean>`models.id = any(${warm}::text[])`);
  return idsOf(among.select("models.id").orderBy(byRelease));
}

/** Models that are called, the most called first. */
async function trending(selection: Selection, { now }: CatalogueContext): Promise<string[]> {
  const calls = sql<{ model_id: string; calls: number }>`(
    select model_id, count(*) as calls from requests
    where started_at > ${trendSince(now)} and started_at <= ${now} group by model_id
  )`;
  return idsOf(
    selection
      .innerJoin(calls.as("r"), "r.model_id", "models.id")
      .select("models.id")
      .orderBy("r.calls", "desc")
      .orderBy(byRelease),
  );
}

function bestMatches(
  db: Database,
  selection: Selection,
  search: NonNullable<Search>,
  { tiers }: CatalogueContext,
  common: Common | undefined,
) {
  const columns = [
    "models.id",
    "models.id_lower",
    "models.name",
    "models.owned_by",
    "models.parameter_size",
    "models.released_date",
    "models.source",
  ] as const;
  const called = selection.where((eb) =>
    eb.or([
      eb("models.id_lower", "=", search.text),
      eb(sql`lower(models.name)`, "=", search.text),
      eb(sql`lower(models.owned_by)`, "=", search.text),
    ]),
  );
  const matching = common ? selection.where(sql<boolean>`models.id = any(${common.ids}::text[])`) : selection;
  const chosen = selection.where("models.source", "<>", TAKEN_OVER);
  const some = (among: Selection) => db.selectFrom(among.select(columns).limit(CANDIDATES).as("some")).selectAll();
  return db
    .selectFrom(some(called).union(some(chosen)).union(some(matching)).as("models"))
    .select("models.id")
    .orderBy(byMatch(search, tiers));
}
