import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { CAPABILITY_TAGS, type CatalogueContext, type CatalogueQuery, SIZES } from "./catalogue.query.ts";
import { type Common, commonMatches, countOf, type Selection, selected } from "./selection.ts";

type FacetCount = { value: string; label: string; count: number };
export type Facets = Record<string, FacetCount[]>;

const MOST_VALUES = 60;
/** Among so many models values are counted; of more, these stand for all. */
const SAMPLE = 5_000;
const TIERS = ["warm", "loading", "cold", "offline"] as const;
/** Facets whose values are all shown, also those that nothing has. */
const FIXED: Record<string, readonly { value: string; label: string }[]> = {
  availability: TIERS.map((tier) => ({ value: tier, label: tier })),
  size: SIZES,
  capability: [
    { value: "tool_use", label: "Tool use" },
    { value: "image_input", label: "Image input" },
    { value: "reasoning", label: "Reasoning" },
  ],
};
/** Filters that a facet is counted without: those of its own. */
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

/**
 * How many models each value of each filter would give, and how many there are: exactly, or by a sample where there are
 * very many.
 */
export async function countFacets(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  common: Common | undefined,
): Promise<{ facets: Facets; total: number }> {
  const names = Object.keys(OWN_FILTERS);
  const narrowed = names.filter((name) => OWN_FILTERS[name]?.some((filter) => query[filter] !== undefined));
  const others = names.filter((name) => !narrowed.includes(name));
  const families = await db.selectFrom("families").select(["id", "name"]).execute();
  const labels = new Map(families.map((row) => [row.id, row.name]));
  const facets: Facets = {};
  const { counts, total } = await countValues(db, selected(db, query, context), context, others, common);
  for (const name of others) facets[name] = shown(name, counts.get(name), labels);
  for (const name of narrowed) {
    const but = OWN_FILTERS[name] ?? [];
    const some = await commonMatches(db, query, context, but);
    const own = await countValues(db, selected(db, query, context, but), context, [name], some);
    facets[name] = shown(name, own.counts.get(name), labels);
  }
  return { facets, total };
}

type Counts = Map<string, Map<string, number>>;

async function countValues(
  db: Database,
  selection: Selection,
  context: CatalogueContext,
  names: readonly string[],
  common: Common | undefined,
): Promise<{ counts: Counts; total: number }> {
  const values = valuesOf(context);
  const sample = selection
    .$if(common !== undefined, (select) => select.where(sql<boolean>`models.id = any(${common?.ids ?? []}::text[])`))
    .select([
      "models.id",
      "models.family_id",
      "models.tags",
      "models.license",
      "models.input_modalities",
      "models.languages",
      "models.owned_by",
      "models.parameter_size",
    ])
    .limit(SAMPLE);
  const parts = names.map(
    (name) => sql`select ${name}::text as facet, value, count(*)::integer as count
      from (select ${values[name]} as value from sample) as valued where value is not null group by value`,
  );
  const { rows } = await sql<{ facet: string; value: string; count: number }>`
    with sample as materialized (${sample})
    select 'all' as facet, '' as value, count(*)::integer as count from sample
    ${sql.join(
      parts.map((part) => sql`union all ${part}`),
      sql` `,
    )}`.execute(db);
  const all = rows.find(({ facet }) => facet === "all")?.count ?? 0;
  const total = common?.total ?? (all < SAMPLE ? all : await countOf(selection, db));
  const counts: Counts = new Map();
  for (const { facet, value, count } of rows) {
    const known = counts.get(facet) ?? new Map<string, number>();
    counts.set(facet, known.set(value, Math.round((count * total) / all)));
  }
  return { counts, total };
}

function shown(
  name: string,
  counts: ReadonlyMap<string, number> | undefined,
  labels: ReadonlyMap<string, string>,
): FacetCount[] {
  const fixed = FIXED[name];
  if (fixed) return fixed.map(({ value, label }) => ({ value, label, count: counts?.get(value) ?? 0 }));
  return [...(counts ?? [])]
    .map(([value, count]) => ({ value, label: (name === "family" && labels.get(value)) || value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES);
}
