import { describe, expect, test, vi } from "vitest";
import { type Page, parsePaging, readPages, takePage } from "./paging.ts";

const TOTAL = 230;
const rows = Array.from({ length: TOTAL }, (_, index) => index + 1);
const read = () =>
  vi.fn(
    async ({ page, perPage }: { page: number; perPage: number }): Promise<Page<number>> => ({
      items: rows.slice((page - 1) * perPage, page * perPage),
      pagination: {
        current_page: page,
        per_page: perPage,
        total_items: TOTAL,
        total_pages: Math.ceil(TOTAL / perPage),
      },
    }),
  );

describe("parts of lists", () => {
  test.each([
    ["reads 50 rows by default", {}, 1, 50, [[1, 50]]],
    ["reads one page of the given size", { limit: 10, page: 3 }, 21, 30, [[3, 10]]],
    [
      "reads several pages for a limit above 100",
      { limit: 150 },
      1,
      150,
      [
        [1, 100],
        [2, 100],
      ],
    ],
    [
      "reads all pages with --all",
      { all: true },
      1,
      230,
      [
        [1, 100],
        [2, 100],
        [3, 100],
      ],
    ],
    [
      "stops at the last page",
      { limit: 5000 },
      1,
      230,
      [
        [1, 100],
        [2, 100],
        [3, 100],
      ],
    ],
  ])("%s", async (_, flags, first, last, expectedPages) => {
    const pages = read();
    const { items, pagination } = await readPages(parsePaging(flags), pages);
    expect([items[0], items.at(-1)]).toEqual([first, last]);
    expect(pages.mock.calls.map(([{ page, perPage }]) => [page, perPage])).toEqual(expectedPages);
    expect(pagination.total_items).toBe(TOTAL);
  });

  test.each([
    [{ all: true, page: 2 }, "--all and --page exclude each other"],
    [{ all: true, limit: 2 }, "--all and --limit exclude each other"],
    [{ limit: 200, page: 2 }, "pages of at most 100"],
  ])("the paging flags %o are rejected", (flags, message) => {
    expect(() => parsePaging(flags)).toThrow(message);
  });

  test("reading pages stops when the list shrinks while it is read", async () => {
    const page = { current_page: 1, per_page: 100, total_items: 500, total_pages: 5 };
    const { items } = await readPages(parsePaging({ all: true }), async ({ page: at }) => ({
      items: at === 1 ? [1] : [],
      pagination: page,
    }));
    expect(items).toEqual([1]);
  });
});

test.each([
  [{ limit: 10, page: 2, all: false }, 11, 20, 23],
  [{ limit: 100, page: 3, all: false }, 201, 230, 3],
  [{ limit: 50, page: 1, all: true }, 1, 230, 1],
])("takes %j of a list that comes at once", (paging, first, last, pages) => {
  const { items, pagination } = takePage(paging, rows);
  expect([items[0], items.at(-1), pagination.total_pages]).toEqual([first, last, pages]);
});
