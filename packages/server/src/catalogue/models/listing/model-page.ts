import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../platform/core/db/connect.ts";
import { type CatalogueContext, type CatalogueQuery, orderByRelevance } from "./catalogue.query.ts";
import {
  countMatches,
  countNarrowedFacets,
  createCountQueries,
  estimateTotal,
  type Facets,
  listOpenFilters,
  loadFamilyLabels,
  splitFacetNames,
  toFacets,
} from "./facets.ts";
import { type Matches, openLeadingMatches, SAMPLE_SIZE, selectMatches } from "./matches.ts";
import { countModels, listPageIds, type Selection, selectModels } from "./selection.ts";
import { NEWEST_FIRST } from "./sort-orders.ts";

/** A page of the catalogue, with its facets if they are requested. */
export type PageRequest = { limit: number; offset: number; facets?: boolean };
/** The ids on a page in order, the total on all pages, and the facets. */
export type ModelIdPage = { ids: string[]; total: number; facets?: Facets };

/**
 * Returns a page of models. The matches of a search are read once, for ranking and for counts, since finding them is the
 * expensive part.
 */
export async function selectPage(
  db: Database,
  query: CatalogueQuery,
  context: CatalogueContext,
  request: PageRequest,
): Promise<ModelIdPage> {
  const selection = selectModels(db, query, context);
  const { search } = context;
  const rankedSearch = query.sort === undefined && search ? search : null;
  const orderedIds = rankedSearch === null ? await listPageIds(selection, query.sort, context, request) : [];
  if (!search && !request.facets) return { ids: orderedIds, total: await countModels(selection, db) };

  const openFilters = request.facets ? listOpenFilters(query, context.viewer) : [];
  const leading = await openLeadingMatches(db, query, context, openFilters);
  const matches = await selectMatches(db, query, context, leading);
  const names = request.facets ? splitFacetNames(query, context.viewer).others : [];
  const rows = await countMatches(db, matches, [
    ...createCountQueries(names, context),
    ...(rankedSearch === null
      ? []
      : [rankMatches(orderByRelevance(rankedSearch, context.tiers), matches.extraMatches, request)]),
  ]);
  const rankedRows = rows.filter(({ part }) => part === "ranked").sort((a, b) => a.count - b.count);
  const rankedIds = rankedRows.map(({ value }) => value);
  const total = await estimateTotal(rows, matches, selection);
  const hasMore = rankedIds.length < request.limit && total > request.offset + rankedIds.length;
  const rest =
    rankedSearch !== null && hasMore ? await listUnrankedIds(db, selection, matches, rankedIds.length, request) : [];
  const ids = rankedSearch === null ? orderedIds : [...rankedIds, ...rest];
  if (!request.facets) return { ids, total };
  const labels = await loadFamilyLabels(db);
  const facets = {
    ...toFacets(names, rows, total, labels),
    ...(await countNarrowedFacets(db, query, context, leading, labels)),
  };
  return { ids, total, facets };
}

/** Returns the ids on a page after the ranked ones: the newest of the matches that were not ranked. */
async function listUnrankedIds(
  db: Database,
  selection: Selection,
  matches: Matches,
  rankedCount: number,
  { limit, offset }: PageRequest,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ((select id from ${matches.all} as sample limit ${SAMPLE_SIZE})
      union select id from ${matches.extraMatches} as extra) as ranked`.execute(db);
  const found = await selection
    .where(sql<boolean>`models.id <> all(${rows.map(({ id }) => id)}::text[])`)
    .select("models.id")
    .orderBy(NEWEST_FIRST)
    .limit(limit - rankedCount)
    .offset(Math.max(offset - rows.length, 0))
    .execute();
  return found.map(({ id }) => id);
}

/** Selects the best of the sample and of the extra matches, each with its rank in `count`. */
function rankMatches(order: RawBuilder<unknown>, extras: RawBuilder<unknown>, { limit, offset }: PageRequest) {
  return sql`(
    select 'ranked' as part, ranked.id as value, ranked.place::integer as count
    from unnest(array(
      select models.id from (
        select * from sample
        union all select * from ${extras} as extra where extra.id not in (select id from sample)
      ) as models
      order by ${order} limit ${limit} offset ${offset}
    )) with ordinality as ranked (id, place)
  )`;
}
