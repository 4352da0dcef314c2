import { nestedOf, type Params, textOf } from "./form.ts";

/** A list of objects, the newest first. */
export type List<T> = { object: "list"; url: string; has_more: boolean; data: T[] };

/** Returns a page of objects, the newest first, which were created in the time that the query names. */
export function listObjects<T extends { id: string; created: number }>(
  url: string,
  objects: Iterable<T>,
  query: Params,
): List<T> {
  const created = nestedOf(query, "created");
  const since = Number(textOf(created, "gte") ?? 0);
  const until = Number(textOf(created, "lt") ?? Number.MAX_SAFE_INTEGER);
  const limit = Number(textOf(query, "limit") ?? 10);
  const all = [...objects].filter((one) => one.created >= since && one.created < until).reverse();
  const after = textOf(query, "starting_after");
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  return { object: "list", url, has_more: start + limit < all.length, data: all.slice(start, start + limit) };
}
