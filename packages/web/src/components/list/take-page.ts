import type { ListData } from "./list-props.ts";

/** Rows of a page of a list that the server sends whole. */
const PER_PAGE = 25;

/** Returns a page of rows that are all there, counted from 1; the last one where there are fewer. */
export function takePage<T>(rows: readonly T[], page: number): Required<ListData<T>> {
  const pages = Math.max(1, Math.ceil(rows.length / PER_PAGE));
  const current = Math.min(page, pages);
  return {
    items: rows.slice((current - 1) * PER_PAGE, current * PER_PAGE),
    pagination: { current_page: current, per_page: PER_PAGE, total_items: rows.length, total_pages: pages },
  };
}

/** Whether one of these texts contains another, in upper or lower case. */
export const containsText = (texts: readonly string[], search = ""): boolean =>
  texts.some((text) => text.toLowerCase().includes(search.toLowerCase()));

/** Returns rows that are there as those of a file, which are read page by page elsewhere. */
export async function* toAsync<T>(rows: readonly T[]): AsyncIterable<T> {
  yield* rows;
}
