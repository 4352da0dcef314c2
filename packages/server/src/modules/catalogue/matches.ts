import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../core/db/connect.ts";
import { type CatalogueContext, type CatalogueQuery, HUB_SOURCE, NEWEST_FIRST } from "./catalogue.query.ts";
import { MAX_EXACT_COUNT, type Selection, selectModels } from "./selection.ts";

/** How many matches of a search are ranked, and counted for facets. */
export const SAMPLE_SIZE = 2_000;
/** How many matches are read at most; beyond that the database's estimate is used. */
const MAX_MATCHES_READ = MAX_EXACT_COUNT + 1;
/** How many exact matches, and how many curated ones, are ranked in addition to the sample. */
const MAX_EXTRA_MATCHES = 1_000;
/** For a very frequent term, matches are looked for only among this many of the newest and of the most downloaded. */
const MAX_LEADING_MODELS = 2_500;

const COLUMNS = [
  "models.id",
  "models.id_lower",
  "models.name",
  "models.owned_by",
  "models.parameter_size",
  "models.released_date",
  "models.source",
  "models.family_id",
  "models.tags",
  "models.license",
  "models.input_modalities",
  "models.languages",
] as const;

/** What a query selects, read once. Its first `SAMPLE_SIZE` rows represent all of it. */
export type Matches = {
  all: RawBuilder<unknown>;
  /** Models that may rank best without being in the sample. */
  extraMatches: RawBuilder<unknown>;
  /** Estimated total; undefined if reading `all` gives the exact one. */
  total: number | undefined;
};

/**
 * Returns the models to rank and count for a query. In a catalogue of a million models, reading every match of a
 * frequent word would take too long, and the best ones are among the newest and the most downloaded.
 */
export async function selectMatches(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  excludedFilters: readonly string[] = [],
): Promise<Matches> {
  const select = (from?: Selection) => selectModels(db, query, context, excludedFilters, from);
  const takeMatches = (among: Selection, limit: number) => sql`(${among.select(COLUMNS).limit(limit)})`;
  const { search } = context;
  if (!search)
    return { all: takeMatches(select(), MAX_MATCHES_READ), extraMatches: takeMatches(select(), 0), total: undefined };
  const exactMatches = select().where((eb) =>
    eb.or([
      eb("models.id_lower", "=", search.text),
      eb(sql`lower(models.name)`, "=", search.text),
      eb(sql`lower(models.owned_by)`, "=", search.text),
    ]),
  );
  const curatedMatches = select().where("models.source", "<>", HUB_SOURCE);
  const extraMatches = sql`(${takeMatches(exactMatches, MAX_EXTRA_MATCHES)} union ${takeMatches(curatedMatches, MAX_EXTRA_MATCHES)})`;
  const leading = await selectAmongLeading(db, select);
  if (leading === undefined) return { all: takeMatches(select(), MAX_MATCHES_READ), extraMatches, total: undefined };
  const known = db.selectFrom("models").where(sql<boolean>`models.id = any(${leading.ids}::text[])`);
  return { all: takeMatches(known, SAMPLE_SIZE), extraMatches, total: leading.total };
}

/** Returns the matches among the newest and the most downloaded; undefined if too few match for an estimate. */
async function selectAmongLeading(
  db: Database,
  select: (from: Selection) => Selection,
): Promise<{ ids: string[]; total: number } | undefined> {
  const size = await estimateCatalogueSize(db);
  if (size <= MAX_EXACT_COUNT) return undefined;
  const leading = (order: RawBuilder<unknown>) => {
    const first = db.selectFrom("models").selectAll().orderBy(order).limit(MAX_LEADING_MODELS).as("models");
    return select(db.selectFrom(first)).select("models.id");
  };
  const found = await leading(NEWEST_FIRST)
    .unionAll(leading(sql`models.downloads desc nulls last, models.id_lower`))
    .execute();
  const total = Math.round((found.length * size) / (2 * MAX_LEADING_MODELS));
  return total > MAX_EXACT_COUNT ? { ids: [...new Set(found.map(({ id }) => id))], total } : undefined;
}

/** Returns the database's estimate of the number of models. */
async function estimateCatalogueSize(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select reltuples::float8 as size from pg_class where oid = 'models'::regclass`.execute(db);
  return rows[0]?.size ?? 0;
}
