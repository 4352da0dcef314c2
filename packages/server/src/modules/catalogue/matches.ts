import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { byRelease, type CatalogueContext, type CatalogueQuery, TAKEN_OVER } from "./catalogue.query.ts";
import { COUNTED, type Selection, selected } from "./selection.ts";

/** How many matches of a search are ranked, and counted for facets. */
export const SAMPLE = 2_000;
/** How many matches are read at most; beyond that the database's estimate is used. */
const READ = COUNTED + 1;
/** How many exact matches, and how many curated ones, are ranked in addition to the sample. */
const EXTRAS = 1_000;
/** For a very frequent term, matches are looked for only among this many of the newest and of the most downloaded. */
const WELL_KNOWN = 2_500;

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
  extras: RawBuilder<unknown>;
  /** Estimated total; undefined if reading `all` gives the exact one. */
  total: number | undefined;
};

/**
 * Returns the models to rank and count for a query. In a catalogue of a million models, reading every match of a
 * frequent word would take too long, and the best ones are among the newest and the most downloaded.
 */
export async function matchesOf(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  but: readonly string[] = [],
): Promise<Matches> {
  const select = (from?: Selection) => selected(db, query, context, but, from);
  const some = (among: Selection, limit: number) => sql`(${among.select(COLUMNS).limit(limit)})`;
  const { search } = context;
  if (!search) return { all: some(select(), READ), extras: some(select(), 0), total: undefined };
  const called = select().where((eb) =>
    eb.or([
      eb("models.id_lower", "=", search.text),
      eb(sql`lower(models.name)`, "=", search.text),
      eb(sql`lower(models.owned_by)`, "=", search.text),
    ]),
  );
  const chosen = select().where("models.source", "<>", TAKEN_OVER);
  const extras = sql`(${some(called, EXTRAS)} union ${some(chosen, EXTRAS)})`;
  const leading = await amongLeading(db, select);
  if (leading === undefined) return { all: some(select(), READ), extras, total: undefined };
  const known = db.selectFrom("models").where(sql<boolean>`models.id = any(${leading.ids}::text[])`);
  return { all: some(known, SAMPLE), extras, total: leading.total };
}

/** Returns the matches among the newest and the most downloaded; undefined if too few match for an estimate. */
async function amongLeading(
  db: Database,
  select: (from: Selection) => Selection,
): Promise<{ ids: string[]; total: number } | undefined> {
  const size = await sizeOfCatalogue(db);
  if (size <= COUNTED) return undefined;
  const leading = (order: RawBuilder<unknown>) => {
    const first = db.selectFrom("models").selectAll().orderBy(order).limit(WELL_KNOWN).as("models");
    return select(db.selectFrom(first)).select("models.id");
  };
  const found = await leading(byRelease)
    .unionAll(leading(sql`models.downloads desc nulls last, models.id_lower`))
    .execute();
  const total = Math.round((found.length * size) / (2 * WELL_KNOWN));
  return total > COUNTED ? { ids: [...new Set(found.map(({ id }) => id))], total } : undefined;
}

/** Returns the database's estimate of the number of models. */
async function sizeOfCatalogue(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select reltuples::float8 as size from pg_class where oid = 'models'::regclass`.execute(db);
  return rows[0]?.size ?? 0;
}
