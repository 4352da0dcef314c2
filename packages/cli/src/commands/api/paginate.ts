import { UsageError } from "../../errors.ts";

type Pages = { readonly items: readonly unknown[]; readonly pagination: { readonly total_pages: number } };

const MOST = "100";

/** Reads all pages of a list and returns them as one page. Throws `UsageError` when the response has no pages. */
export async function readEveryPage(path: string, read: (path: string) => Promise<unknown>): Promise<Pages> {
  const first = pagesOf(await read(at(path, 1)), path);
  const items = [...first.items];
  for (let page = 2; page <= first.pagination.total_pages; page += 1) {
    const next = pagesOf(await read(at(path, page)), path);
    if (next.items.length === 0) break;
    items.push(...next.items);
  }
  const pagination = { current_page: 1, per_page: items.length, total_items: items.length, total_pages: 1 };
  return { ...first, items, pagination };
}

function at(path: string, page: number): string {
  const [name, query = ""] = path.split("?");
  const search = new URLSearchParams(query);
  if (!search.has("perPage")) search.set("perPage", MOST);
  search.set("page", String(page));
  return `${name}?${search}`;
}

function pagesOf(answer: unknown, path: string): Pages {
  if (typeof answer === "object" && answer !== null && "items" in answer && "pagination" in answer)
    return answer as Pages;
  throw new UsageError(`${path} has no pages`, "the same without --paginate");
}
