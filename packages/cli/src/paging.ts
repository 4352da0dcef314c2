import type { FlagValues } from "./command.ts";
import { UsageError } from "./errors.ts";

/** Which part of a list is wanted. */
export type Paging = { readonly limit: number; readonly page: number; readonly all: boolean };

/** A page of the API, and the parts of a list that commands work with. */
export type Page<Row> = {
  readonly items: readonly Row[];
  readonly pagination: {
    readonly current_page: number;
    readonly per_page: number;
    readonly total_items: number;
    readonly total_pages: number;
  };
};

const LIMIT = 50;
/** The most that the API gives at once. */
const MOST = 100;

/** `--limit`, `--page` and `--all` of a command that declares `paged`. */
export function pagingOf(flags: FlagValues): Paging {
  const limit = typeof flags.limit === "number" ? flags.limit : LIMIT;
  const page = typeof flags.page === "number" ? flags.page : 1;
  const all = flags.all === true;
  if (all && (flags.limit !== undefined || flags.page !== undefined))
    throw new UsageError(`--all and --${flags.limit === undefined ? "page" : "limit"} exclude each other`);
  if (limit > MOST && page > 1)
    throw new UsageError(`--page goes with pages of at most ${MOST}`, `--limit ${MOST} --page ${page}, or --all`);
  return { limit, page, all };
}

/** Reads the wanted part of a list, page after page where one is not enough. */
export async function readPages<Row>(
  { limit, page, all }: Paging,
  read: (query: { readonly page: number; readonly perPage: number }) => PromiseLike<Page<Row>>,
): Promise<Page<Row>> {
  const wanted = all ? Number.POSITIVE_INFINITY : limit;
  const perPage = Math.min(wanted, MOST);
  const first = await read({ page, perPage });
  if (wanted <= MOST) return first;
  const items = [...first.items];
  let last = first;
  for (let next = 2; items.length < wanted && next <= last.pagination.total_pages; next += 1) {
    last = await read({ page: next, perPage });
    if (last.items.length === 0) break;
    items.push(...last.items);
  }
  const kept = items.slice(0, wanted);
  const total_items = Math.max(last.pagination.total_items, kept.length);
  const per_page = Math.max(1, kept.length);
  return {
    items: kept,
    pagination: { current_page: 1, per_page, total_items, total_pages: Math.max(1, Math.ceil(total_items / per_page)) },
  };
}
