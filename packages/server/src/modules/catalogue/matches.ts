import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { byRelease, type CatalogueContext, type CatalogueQuery, TAKEN_OVER } from "./catalogue.query.ts";
import { COUNTED, type Selection, selected } from "./selection.ts";

/** Among so many matches of a search the best are looked for, and the values of filters are counted. */
export const SAMPLE = 2_000;
/** So many matches are read; the database estimates how many more there are. */
const READ = COUNTED + 1;
/** Models called so, and models somebody chose, are looked at besides: of each kind so many. */
const EXTRAS = 1_000;
/** What very many models hold is looked for among so many of the newest, and of the most downloaded. */
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

/** What a query selects, to be read once: the first `SAMPLE` of it stand for all. */
export type Matches = {
  all: RawBuilder<unknown>;
  /** Models that may not be in the sample and yet be the best. */
  extras: RawBuilder<unknown>;
  /** How many there are by estimate; undefined where reading `all` tells. */
  total: number | undefined;
};

/**
 * The models to look at for a query. In a catalogue of a million, looking through all that a frequent word matches would
 * take long, and those looked for are among the newest and the most downloaded.
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

/** The matches among the newest and the most downloaded, if that many match that these stand for all. */
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

/** As the database knows it without counting. */
async function sizeOfCatalogue(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select reltuples::float8 as size from pg_class where oid = 'models'::regclass`.execute(db);
  return rows[0]?.size ?? 0;
}
