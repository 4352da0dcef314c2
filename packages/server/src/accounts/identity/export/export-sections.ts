import { sql } from "kysely";

/** The public id of a model. Private models are stored under another one. */
export const MODEL_ID = sql<string>`model_id_of(model_id)`.as("model_id");

/** A row of stored data. */
export type Row = Readonly<Record<string, unknown>>;
/** One kind of stored data, page by page. */
export type Section = { name: string; rows: AsyncIterable<readonly Row[]> };

/** The number of rows per page of `paginate`. Queries must use it as their limit. */
export const PAGE_SIZE = 1_000;

/** Yields the result of a query as one page. */
export async function* singlePage(query: { execute(): Promise<readonly Row[]> }): AsyncGenerator<readonly Row[]> {
  yield await query.execute();
}

/** Yields pages until one is not full. `read` gets the last row of the previous page. */
export async function* paginate<R extends Row>(
  read: (after: R | null) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  let last: R | null = null;
  do {
    const page: readonly R[] = await read(last);
    yield page;
    last = page.length < PAGE_SIZE ? null : (page.at(-1) ?? null);
  } while (last !== null);
}
