import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { CAPABILITY_TAGS, type CatalogueContext, type CatalogueQuery, SIZES } from "./catalogue.query.ts";
import { type Matches, matchesOf, SAMPLE } from "./matches.ts";
import { COUNTED, estimateOf, type Selection, selected } from "./selection.ts";

type FacetCount = { value: string; label: string; count: number };
/** The values of each facet with the number of models that have them. */
export type Facets = Record<string, FacetCount[]>;

const MOST_VALUES = 60;
const TIERS = ["warm", "loading", "cold", "offline"] as const;
/** Facets that always list all their values, also those with a count of 0. */
const FIXED: Record<string, readonly { value: string; label: string }[]> = {
  availability: TIERS.map((tier) => ({ value: tier, label: tier })),
  size: SIZES,
  capability: [
    { value: "tool_use", label: "Tool use" },
    { value: "image_input", label: "Image input" },
    { value: "reasoning", label: "Reasoning" },
  ],
};
/** The filters of each facet. A facet is counted without them, so that it shows the alternatives. */
const OWN_FILTERS: Record<string, readonly (keyof CatalogueQuery)[]> = {
  availability: ["availability"],
  size: ["size", "min_params", "max_params"],
  family: ["family"],
  tags: ["tags"],
  license: ["license"],
  modality: ["modality"],
  capability: ["capability"],
  language: ["language"],
  owner: ["owner"],
};

function valuesOf({ tiers }: CatalogueContext): Record<string, RawBuilder<string>> {
  const among = (tier: string) => [...tiers].filter(([, state]) => state === tier).map(([id]) => id);
  const tierCases = TIERS.slice(0, 3).map((tier) => sql`when id = any(${among(tier)}::text[]) then ${tier}`);
  const sizeCases = SIZES.map(
    ({ value, low, high }) => sql`when parameter_size > ${low} and parameter_size <= ${high} then ${value}`,
  );
  const abilities = Object.entries(CAPABILITY_TAGS).map(
    ([name, tag]) => sql`case when ${tag} = any(tags) then ${name} end`,
  );
  return {
    availability: sql`case ${sql.join(tierCases, sql` `)} else 'offline' end`,
    size: sql`case ${sql.join(sizeCases, sql` `)} end`,
    family: sql`family_id`,
    tags: sql`unnest(tags)`,
    license: sql`license`,
    modality: sql`unnest(input_modalities)`,
    capability: sql`unnest(array[${sql.join(abilities)}])`,
    language: sql`unnest(languages)`,
    owner: sql`owned_by`,
  };
}

type Row = { part: string; value: string; count: number };
/** Splits the facets: `narrowed` ones have a filter of their own in the query, `others` do not. */
export function facetNames(query: CatalogueQuery): { others: string[]; narrowed: string[] } {
  const isNarrowed = (name: string) => OWN_FILTERS[name]?.some((filter) => query[filter] !== undefined) ?? false;
  const names = Object.keys(OWN_FILTERS);
  return { others: names.filter((name) => !isNarrowed(name)), narrowed: names.filter(isNarrowed) };
}

/** Returns one select per facet that counts the values in `sample`. */
export function countedValues(names: readonly string[], context: CatalogueContext): RawBuilder<Row>[] {
  const values = valuesOf(context);
  return names.map(
    (name) => sql<Row>`select ${name}::text as part, value, count(*)::integer as count
      from (select ${values[name]} as value from sample) as valued where value is not null group by value`,
  );
}

/** Counts the facets that have a filter of their own in the query, each without that filter. */
export async function narrowedFacets(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  labels: Labels,
): Promise<Facets> {
  const facets: Facets = {};
  for (const name of facetNames(query).narrowed) {
    const but = OWN_FILTERS[name] ?? [];
    const matches = await matchesOf(db, query, context, but);
    const rows = await readMatches(db, matches, countedValues([name], context));
    const total = await totalOf(rows, matches, selected(db, query, context, but));
    Object.assign(facets, facetsOf([name], rows, total, labels));
  }
  return facets;
}

/** Runs the selects on a sample of the matches. The row with part `all` holds how many matches were read. */
export async function readMatches(
  db: Database,
  { all }: Matches,
  parts: readonly RawBuilder<unknown>[],
): Promise<Row[]> {
  const counted = sql`select 'all' as part, '' as value, count(*)::integer as count from matches`;
  const { rows } = await sql<Row>`
    with matches as materialized (${all}), sample as materialized (select * from matches limit ${SAMPLE})
    ${sql.join([counted, ...parts], sql` union all `)}`.execute(db);
  return rows;
}

const countOfRead = (rows: readonly Row[]) => rows.find(({ part }) => part === "all")?.count ?? 0;

/**
 * Returns the number of matching models: the one that is known, the number read, or an estimate above
 * `MAX_EXACT_COUNT`.
 */
export async function totalOf(rows: readonly Row[], { total }: Matches, selection: Selection): Promise<number> {
  const read = countOfRead(rows);
  return total ?? (read <= COUNTED ? read : await estimateOf(selection));
}

/** Names of families by id. */
export type Labels = ReadonlyMap<string, string>;

/** Returns the names of all families by id. */
export async function familyLabels(db: Database): Promise<Labels> {
  const families = await db.selectFrom("families").select(["id", "name"]).execute();
  return new Map(families.map((row) => [row.id, row.name]));
}

/** Returns the counts of these facets, scaled from the sample to `total` matches. */
export function facetsOf(names: readonly string[], rows: readonly Row[], total: number, labels: Labels): Facets {
  const factor = total / Math.max(Math.min(countOfRead(rows), SAMPLE), 1);
  const facets: Facets = {};
  for (const name of names) {
    const counts = rows.filter(({ part }) => part === name);
    facets[name] = shown(name, new Map(counts.map(({ value, count }) => [value, Math.round(count * factor)])), labels);
  }
  return facets;
}

function shown(name: string, counts: ReadonlyMap<string, number>, labels: Labels): FacetCount[] {
  const fixed = FIXED[name];
  if (fixed) return fixed.map(({ value, label }) => ({ value, label, count: counts.get(value) ?? 0 }));
  return [...counts]
    .map(([value, count]) => ({ value, label: (name === "family" && labels.get(value)) || value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES);
}
