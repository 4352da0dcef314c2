import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../platform/core/db/connect.ts";
import { type CatalogueContext, type CatalogueQuery, createFilters, HUB_SOURCE } from "./catalogue.query.ts";
import { MAX_EXACT_COUNT, type Selection, selectModels } from "./selection.ts";
import { BY_DOWNLOADS, NEWEST_FIRST } from "./sort-orders.ts";

/** The number of matches of a search that are ranked and counted for facets. */
export const SAMPLE_SIZE = 1_000;
/** In a catalogue of more than `MAX_EXACT_COUNT` models, up to this many matches of a search are counted exactly. */
const MAX_EXACT_MATCHES = 4_000;
/** The number of exact matches, and of curated ones, that are ranked in addition to the sample. */
const MAX_EXTRA_MATCHES = 1_000;
/**
 * The number of the newest and of the most downloaded models that are read first, to estimate whether a search has more
 * matches than `MAX_EXACT_MATCHES`.
 */
const MAX_FIRST_MODELS = 500;
/** The number of the newest and of the most downloaded models that are read for a closer estimate and for the ranking. */
const MAX_LEADING_MODELS = 2_500;
/** If at least this many matches are among those models, no other models are searched. */
const MAX_LEADING_MATCHES = 50;

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

/** The models that a query selects, read once. The first `SAMPLE_SIZE` rows represent all of them. */
export type Matches = {
  all: RawBuilder<unknown>;
  /** Models that may rank first without being in the sample. */
  extraMatches: RawBuilder<unknown>;
  /** If `all` has at most this many rows, they are all matches. */
  maxExact: number;
  /** Estimates the total from the leading models. Without it, the database estimates the total. */
  estimate?: () => Promise<number>;
};

/** The matches of a search among the newest and the most downloaded models of a large catalogue. */
export type LeadingMatches = {
  /** Each match, with those of the open filters that it does not meet. */
  models: readonly { id: string; unmet: readonly string[] }[];
  /** The number of models of the catalogue that each of these models represents. */
  weight: number;
};
/**
 * The matches among the first few hundred models, which are read quickly, and a function that reads those among all leading
 * models.
 */
export type LeadingReader = { first: LeadingMatches; readAll: () => Promise<LeadingMatches> };

/**
 * Returns the models to rank and to count for a query. In a catalogue of a million models, reading every match of a
 * frequent word would take too long; the best matches are usually among the newest and the most downloaded models.
 */
export async function selectMatches(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  leading: LeadingReader | undefined,
  excludedFilters: readonly string[] = [],
): Promise<Matches> {
  const select = () => selectModels(db, query, context, excludedFilters);
  const takeMatches = (among: Selection, limit: number) => sql`(${among.select(COLUMNS).limit(limit)})`;
  const { search } = context;
  const takeUpTo = (maxExact: number) => ({ all: takeMatches(select(), maxExact + 1), maxExact });
  if (!search) return { ...takeUpTo(MAX_EXACT_COUNT), extraMatches: takeMatches(select(), 0) };
  const exactMatches = select().where((eb) =>
    eb.or([
      eb("models.id_lower", "=", search.text),
      eb(sql`lower(models.name)`, "=", search.text),
      eb(sql`lower(models.owned_by)`, "=", search.text),
    ]),
  );
  const curatedMatches = select().where("models.source", "<>", HUB_SOURCE);
  const extraMatches = sql`(${takeMatches(exactMatches, MAX_EXTRA_MATCHES)} union ${takeMatches(curatedMatches, MAX_EXTRA_MATCHES)})`;
  if (leading === undefined) return { ...takeUpTo(MAX_EXACT_COUNT), extraMatches };
  const estimate = async () => estimateFrom(await leading.readAll(), excludedFilters);
  const mayBeExact = estimateFrom(leading.first, excludedFilters) <= 2 * MAX_EXACT_MATCHES;
  if (mayBeExact || (await estimate()) <= MAX_EXACT_MATCHES)
    return { ...takeUpTo(MAX_EXACT_MATCHES), extraMatches, estimate };
  const ids = [...new Set(listFound(await leading.readAll(), excludedFilters))];
  const known = takeMatches(db.selectFrom("models").where(sql<boolean>`models.id = any(${ids}::text[])`), SAMPLE_SIZE);
  const others = takeMatches(select().where(sql<boolean>`models.id <> all(${ids}::text[])`), SAMPLE_SIZE);
  const all = ids.length < MAX_LEADING_MATCHES ? sql`(${known} union all ${others} limit ${SAMPLE_SIZE})` : known;
  return { all, maxExact: 0, extraMatches, estimate };
}

/** Returns the ids of the leading matches that meet all filters except the excluded ones. */
function listFound({ models }: LeadingMatches, excludedFilters: readonly string[]): string[] {
  return models.filter(({ unmet }) => unmet.every((name) => excludedFilters.includes(name))).map(({ id }) => id);
}

/** Returns the estimated number of matches in the whole catalogue. */
const estimateFrom = (leading: LeadingMatches, excludedFilters: readonly string[]): number =>
  Math.round(listFound(leading, excludedFilters).length * leading.weight);

/**
 * Reads the matches of a search among the newest and the most downloaded models, whether or not they meet `openFilters`.
 * Undefined without a search, or if the catalogue is small enough to read all matches.
 */
export async function openLeadingMatches(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  openFilters: readonly string[],
): Promise<LeadingReader | undefined> {
  if (!context.search) return undefined;
  const size = await estimateCatalogueSize(db);
  if (size <= MAX_EXACT_COUNT) return undefined;
  const read = async (count: number): Promise<LeadingMatches> => ({
    models: await readLeadingModels(db, query, context, openFilters, count),
    weight: size / (2 * count),
  });
  let all: Promise<LeadingMatches> | undefined;
  const readAll = () => {
    all ??= read(MAX_LEADING_MODELS);
    return all;
  };
  return { first: await read(MAX_FIRST_MODELS), readAll };
}

/** Reads the matches among the `count` newest and the `count` most downloaded models. */
function readLeadingModels(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  openFilters: readonly string[],
  count: number,
): Promise<LeadingMatches["models"]> {
  const leading = (order: RawBuilder<unknown>) => {
    const first = db.selectFrom("models").selectAll().orderBy(order).limit(count).as("models");
    return selectModels(db, query, context, openFilters, db.selectFrom(first)).select((eb) => {
      const filters = Object.entries(createFilters(query, context)).filter(([name]) => openFilters.includes(name));
      const unmet = filters.flatMap(([name, where]) =>
        where ? [sql`case when ${where(eb)} then null else ${name}::text end`] : [],
      );
      return ["models.id", sql<string[]>`array_remove(array[${sql.join(unmet)}]::text[], null)`.as("unmet")];
    });
  };
  return leading(NEWEST_FIRST).unionAll(leading(BY_DOWNLOADS)).execute();
}

/** Returns the database's estimate of the number of models. */
async function estimateCatalogueSize(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select reltuples::float8 as size from pg_class where oid = 'models'::regclass`.execute(db);
  return rows[0]?.size ?? 0;
}
