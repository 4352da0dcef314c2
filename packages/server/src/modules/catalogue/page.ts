import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import { byMatch, type CatalogueContext, type CatalogueQuery } from "./catalogue.query.ts";
import {
  countedValues,
  type Facets,
  facetNames,
  facetsOf,
  familyLabels,
  narrowedFacets,
  readMatches,
  totalOf,
} from "./facets.ts";
import { matchesOf } from "./matches.ts";
import { countOf, idsOn, selected } from "./selection.ts";

export type Wanted = { limit: number; offset: number; facets?: boolean };
/** The ids on a page in their order, how many there are on all pages, and what the filters would give. */
export type Page = { ids: string[]; total: number; facets?: Facets };

/** What matches a search is read once, for its best as well as for the counts: finding it is what takes long. */
export async function readPage(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  wanted: Wanted,
): Promise<Page> {
  const selection = selected(db, query, context);
  const { search } = context;
  const ranks = query.sort === undefined && search ? search : null;
  const ordered = ranks === null ? await idsOn(selection, query.sort, context, wanted) : [];
  if (!search && !wanted.facets) return { ids: ordered, total: await countOf(selection, db) };

  const matches = await matchesOf(db, query, context);
  const names = wanted.facets ? facetNames(query).others : [];
  const rows = await readMatches(db, matches, [
    ...countedValues(names, context),
    ...(ranks === null ? [] : [ranked(byMatch(ranks, context.tiers), matches.extras, wanted)]),
  ]);
  const best = rows.filter(({ part }) => part === "ranked").sort((a, b) => a.count - b.count);
  const ids = ranks === null ? ordered : best.map(({ value }) => value);
  const total = await totalOf(rows, matches, selection);
  if (!wanted.facets) return { ids, total };
  const labels = await familyLabels(db);
  const facets = { ...facetsOf(names, rows, total, labels), ...(await narrowedFacets(db, query, context, labels)) };
  return { ids, total, facets };
}

/** The best of a sample and of what may be better, each with its place. */
function ranked(order: RawBuilder<unknown>, extras: RawBuilder<unknown>, { limit, offset }: Wanted) {
  return sql`(
    select 'ranked' as part, models.id as value, (row_number() over (order by ${order}))::integer as count
    from (select * from sample union ${extras}) as models order by count limit ${limit} offset ${offset}
  )`;
}
