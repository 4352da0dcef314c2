import { type RawBuilder, sql } from "kysely";
import { HOSTED } from "../../../gateway/index.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Viewer } from "../viewer.ts";
import { CAPABILITY_TAGS, type CatalogueContext, type CatalogueQuery, fitOf, SIZES } from "./catalogue.query.ts";
import { type LeadingReader, type Matches, SAMPLE_SIZE, selectMatches } from "./matches.ts";
import { estimateCount, type Selection, selectModels } from "./selection.ts";

type FacetCount = { value: string; label: string; count: number };
/** The values of each facet with the number of models that have them. */
export type Facets = Record<string, FacetCount[]>;

const MAX_VALUES_PER_FACET = 60;
const FIT_LABELS = { fits: "Fits", fits_quantized: "Fits in fewer bits", too_large: "Too large", unknown: "Unknown" };
const TIERS = ["warm", "loading", "cold", "offline"] as const;
/** Facets that always list all their values, even those with a count of 0. */
const FIXED_VALUES: Record<string, readonly { value: string; label: string }[]> = {
  availability: TIERS.map((tier) => ({ value: tier, label: tier })),
  hosted: [
    { value: "here", label: "Runs here" },
    { value: "elsewhere", label: "Elsewhere" },
  ],
  fit: Object.entries(FIT_LABELS).map(([value, label]) => ({ value, label })),
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
  hosted: ["hosted"],
  fit: ["fit"],
  size: ["size", "min_params", "max_params"],
  family: ["family"],
  tags: ["tags"],
  license: ["license"],
  modality: ["modality"],
  capability: ["capability"],
  language: ["language"],
  owner: ["owner"],
};

function createFacetExpressions(context: CatalogueContext): Record<string, RawBuilder<string>> {
  const { tiers, listHosted } = context;
  const listKeys = (tier: string) => [...tiers].filter(([, state]) => state === tier).map(([id]) => id);
  const tierCases = TIERS.slice(0, 3).map((tier) => sql`when id = any(${listKeys(tier)}::text[]) then ${tier}`);
  const sizeCases = SIZES.map(
    ({ value, low, high }) => sql`when parameter_size > ${low} and parameter_size <= ${high} then ${value}`,
  );
  const capabilityCases = Object.entries(CAPABILITY_TAGS).map(
    ([name, tag]) => sql`case when ${tag} = any(tags) then ${name} end`,
  );
  const hostedCases = HOSTED.map(
    (hosted) => sql`case when id = any(${[...listHosted(hosted)]}::text[]) then ${hosted} end`,
  );
  return {
    hosted: sql`unnest(array[${sql.join(hostedCases)}])`,
    availability: sql`case ${sql.join(tierCases, sql` `)} else 'offline' end`,
    fit: fitOf(context, sql.ref("id"), sql.ref("parameter_size")),
    size: sql`case ${sql.join(sizeCases, sql` `)} end`,
    family: sql`family_id`,
    tags: sql`unnest(tags)`,
    license: sql`license`,
    modality: sql`unnest(input_modalities)`,
    capability: sql`unnest(array[${sql.join(capabilityCases)}])`,
    language: sql`unnest(languages)`,
    owner: sql`owned_by`,
  };
}

type CountRow = { part: string; value: string; count: number };
/**
 * Splits the facets: `narrowed` ones have their own filter in the query, `others` have not. The facet `fit` is only for
 * signed-in viewers.
 */
export function splitFacetNames(
  query: CatalogueQuery,
  { userId }: Pick<Viewer, "userId">,
): { others: string[]; narrowed: string[] } {
  const isNarrowed = (name: string) => OWN_FILTERS[name]?.some((filter) => query[filter] !== undefined) ?? false;
  const names = Object.keys(OWN_FILTERS).filter((name) => name !== "fit" || userId !== null);
  return { others: names.filter((name) => !isNarrowed(name)), narrowed: names.filter(isNarrowed) };
}

/** Returns one select per facet that counts the most frequent values in `sample`. */
export function createCountQueries(names: readonly string[], context: CatalogueContext): RawBuilder<CountRow>[] {
  const values = createFacetExpressions(context);
  return names.map(
    (name) => sql<CountRow>`(select ${name}::text as part, value, count(*)::integer as count
      from (select ${values[name]} as value from sample) as valued where value is not null
      group by value order by count desc, value limit ${MAX_VALUES_PER_FACET})`,
  );
}

/** Returns the filters of the query that are ignored when their own facet is counted. */
export function listOpenFilters(query: CatalogueQuery, viewer: Pick<Viewer, "userId">): string[] {
  return splitFacetNames(query, viewer).narrowed.flatMap((name) => OWN_FILTERS[name] ?? []);
}

/** Counts the facets that have their own filter in the query, each without that filter. */
export async function countNarrowedFacets(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  leading: LeadingReader | undefined,
  labels: FamilyLabels,
): Promise<Facets> {
  const facets: Facets = {};
  for (const name of splitFacetNames(query, context.viewer).narrowed) {
    const excludedFilters = OWN_FILTERS[name] ?? [];
    const matches = await selectMatches(db, query, context, leading, excludedFilters);
    const rows = await countMatches(db, matches, createCountQueries([name], context));
    const total = await estimateTotal(rows, matches, selectModels(db, query, context, excludedFilters));
    Object.assign(facets, toFacets([name], rows, total, labels));
  }
  return facets;
}

/** Runs the selects on a sample of the matches. The row with part `all` has the number of matches that were read. */
export async function countMatches(
  db: Database,
  { all }: Matches,
  parts: readonly RawBuilder<unknown>[],
): Promise<CountRow[]> {
  const counted = sql`select 'all' as part, '' as value, count(*)::integer as count from matches`;
  const { rows } = await sql<CountRow>`
    with matches as materialized (${all}), sample as materialized (select * from matches limit ${SAMPLE_SIZE})
    ${sql.join([counted, ...parts], sql` union all `)}`.execute(db);
  return rows;
}

const countReadMatches = (rows: readonly CountRow[]) => rows.find(({ part }) => part === "all")?.count ?? 0;

/** Returns the number of matching models: the number that was read, or an estimate if there are more. */
export async function estimateTotal(
  rows: readonly CountRow[],
  { maxExact, estimate }: Matches,
  selection: Selection,
): Promise<number> {
  const read = countReadMatches(rows);
  return read <= maxExact ? read : Math.max(await (estimate?.() ?? estimateCount(selection)), read);
}

/** Names of families by id. */
export type FamilyLabels = ReadonlyMap<string, string>;

/** Returns the names of all families by id. */
export async function loadFamilyLabels(db: Database): Promise<FamilyLabels> {
  const families = await db.selectFrom("families").select(["id", "name"]).execute();
  return new Map(families.map((row) => [row.id, row.name]));
}

/** Returns the counts of these facets, scaled from the sample to `total` matches. */
export function toFacets(
  names: readonly string[],
  rows: readonly CountRow[],
  total: number,
  labels: FamilyLabels,
): Facets {
  const factor = total / Math.max(Math.min(countReadMatches(rows), SAMPLE_SIZE), 1);
  const facets: Facets = {};
  for (const name of names) {
    const counts = rows.filter(({ part }) => part === name);
    facets[name] = toFacetCounts(
      name,
      new Map(counts.map(({ value, count }) => [value, Math.round(count * factor)])),
      labels,
    );
  }
  return facets;
}

function toFacetCounts(name: string, counts: ReadonlyMap<string, number>, labels: FamilyLabels): FacetCount[] {
  const fixedValues = FIXED_VALUES[name];
  if (fixedValues) return fixedValues.map(({ value, label }) => ({ value, label, count: counts.get(value) ?? 0 }));
  return [...counts]
    .map(([value, count]) => ({ value, label: (name === "family" && labels.get(value)) || value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_VALUES_PER_FACET);
}
