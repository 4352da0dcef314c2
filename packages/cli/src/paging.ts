import type { FlagValues } from "./command-line.ts";
import { UsageError } from "./errors.ts";

/** The requested part of a list. */
export type Paging = { readonly limit: number; readonly page: number; readonly all: boolean };

/** A page of a list, as the API returns it. */
export type Page<Row> = {
  readonly items: readonly Row[];
  readonly pagination: {
    readonly current_page: number;
    readonly per_page: number;
    readonly total_items: number;
    readonly total_pages: number;
  };
};

const DEFAULT_LIMIT = 50;
/** Largest page that the API returns. */
const MAX_PAGE_SIZE = 100;

/** Parses `--limit`, `--page` and `--all` of a command with `paged`. Throws `UsageError` for contradicting flags. */
export function parsePaging(flags: FlagValues): Paging {
  const limit = typeof flags.limit === "number" ? flags.limit : DEFAULT_LIMIT;
  const page = typeof flags.page === "number" ? flags.page : 1;
  const all = flags.all === true;
  if (all && (flags.limit !== undefined || flags.page !== undefined))
    throw new UsageError(`--all and --${flags.limit === undefined ? "page" : "limit"} exclude each other`);
  if (limit > MAX_PAGE_SIZE && page > 1)
    throw new UsageError(
      `--page goes with pages of at most ${MAX_PAGE_SIZE}`,
      `--limit ${MAX_PAGE_SIZE} --page ${page}, or --all`,
    );
  return { limit, page, all };
}

/**
 * Reads the requested part of a list, from several pages if needed, and returns it as one page, with what else the last of
 * them says.
 */
export async function readPages<List extends Page<unknown>>(
  { limit, page, all }: Paging,
  read: (query: { readonly page: number; readonly perPage: number }) => PromiseLike<List>,
): Promise<List> {
  const maxItems = all ? Number.POSITIVE_INFINITY : limit;
  const perPage = Math.min(maxItems, MAX_PAGE_SIZE);
  const first = await read({ page, perPage });
  if (maxItems <= MAX_PAGE_SIZE) return first;
  const items = [...first.items];
  let last = first;
  for (let next = 2; items.length < maxItems && next <= last.pagination.total_pages; next += 1) {
    last = await read({ page: next, perPage });
    if (last.items.length === 0) break;
    items.push(...last.items);
  }
  const selected = items.slice(0, maxItems);
  const total_items = Math.max(last.pagination.total_items, selected.length);
  const per_page = Math.max(1, selected.length);
  return {
    ...last,
    items: selected,
    pagination: { current_page: 1, per_page, total_items, total_pages: Math.max(1, Math.ceil(total_items / per_page)) },
  };
}

/** Returns the requested part of a list that the API returns at once, as one page. */
export function takePage<Row>({ limit, page, all }: Paging, rows: readonly Row[]): Page<Row> {
  const perPage = all ? Math.max(1, rows.length) : limit;
  return {
    items: rows.slice((page - 1) * perPage, page * perPage),
    pagination: {
      current_page: page,
      per_page: perPage,
      total_items: rows.length,
      total_pages: Math.max(1, Math.ceil(rows.length / perPage)),
    },
  };
}
