import { UsageError } from "../../errors.ts";

type PagedList = { readonly items: readonly unknown[]; readonly pagination: { readonly total_pages: number } };

const MAX_PAGE_SIZE = "100";

/** Reads all pages of a list and returns them as one page. Throws `UsageError` when the response has no pages. */
export async function readEveryPage(path: string, read: (path: string) => Promise<unknown>): Promise<PagedList> {
  const first = requirePages(await read(withPage(path, 1)), path);
  const items = [...first.items];
  for (let page = 2; page <= first.pagination.total_pages; page += 1) {
    const next = requirePages(await read(withPage(path, page)), path);
    if (next.items.length === 0) break;
    items.push(...next.items);
  }
  const pagination = { current_page: 1, per_page: items.length, total_items: items.length, total_pages: 1 };
  return { ...first, items, pagination };
}

function withPage(path: string, page: number): string {
  const [name, query = ""] = path.split("?");
  const search = new URLSearchParams(query);
  if (!search.has("perPage")) search.set("perPage", MAX_PAGE_SIZE);
  search.set("page", String(page));
  return `${name}?${search}`;
}

function requirePages(response: unknown, path: string): PagedList {
  if (typeof response === "object" && response !== null && "items" in response && "pagination" in response)
    return response as PagedList;
  throw new UsageError(`${path} has no pages`, "the same without --paginate");
}
