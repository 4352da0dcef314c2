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

/** A page of the catalogue, with its facets if they are requested. */
export type Wanted = { limit: number; offset: number; facets?: boolean };
/** The ids on a page in order, the total on all pages, and the facets. */
export type Page = { ids: string[]; total: number; facets?: Facets };

/** Reads the matches of a search once, for ranking and for the counts: finding them is the expensive part. */
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

/** Selects the best of the sample and of the extra matches, each with its rank in `count`. */
function ranked(order: RawBuilder<unknown>, extras: RawBuilder<unknown>, { limit, offset }: Wanted) {
  return sql`(
    select 'ranked' as part, models.id as value, (row_number() over (order by ${order}))::integer as count
    from (select * from sample union ${extras}) as models order by count limit ${limit} offset ${offset}
  )`;
}
