import { type RawBuilder, sql } from "kysely";

/** The sort orders by their names in the contract. Each has an index. */
const SORT_ORDERS: Record<string, RawBuilder<unknown>> = {
  "-downloads": sql`models.downloads desc nulls last`,
  "-likes": sql`models.likes desc nulls last`,
  "-favorites": sql`models.favorites desc`,
  "-released_date": sql`models.released_date desc nulls last`,
  "-hf_created_at": sql`models.hf_created_at desc nulls last`,
  "-created_at": sql`models.created_at desc`,
  parameter_size: sql`models.parameter_size asc nulls last`,
  "-parameter_size": sql`models.parameter_size desc nulls last`,
  "-avg_rating": sql`models.avg_rating desc nulls last`,
  name: sql`lower(models.name) asc`,
};

/** The default order: the newest release first. */
export const NEWEST_FIRST = sql`models.released_date desc nulls last, models.id_lower`;
/** The order of `-downloads`. */
export const BY_DOWNLOADS = sql`models.downloads desc nulls last, models.id_lower`;

/** Returns the sort order with this name; null if it is not an order by a column. */
export function toSortOrder(sort: string | undefined): RawBuilder<unknown> | null {
  const order = sort === undefined ? undefined : SORT_ORDERS[sort];
  return order === undefined ? null : sql`${order}, models.id_lower`;
}
