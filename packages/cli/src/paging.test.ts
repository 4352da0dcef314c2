import { describe, expect, test, vi } from "vitest";
import { type Page, pagingOf, readPages } from "./paging.ts";

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
    ["50 when nothing is said", {}, 1, 50, [[1, 50]]],
    ["a page of a size", { limit: 10, page: 3 }, 21, 30, [[3, 10]]],
    [
      "more than the API gives at once",
      { limit: 150 },
      1,
      150,
      [
        [1, 100],
        [2, 100],
      ],
    ],
    [
      "all",
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
      "more than there are",
      { limit: 5000 },
      1,
      230,
      [
        [1, 100],
        [2, 100],
        [3, 100],
      ],
    ],
  ])("%s", async (_, flags, first, last, asked) => {
    const pages = read();
    const { items, pagination } = await readPages(pagingOf(flags), pages);
    expect([items[0], items.at(-1)]).toEqual([first, last]);
    expect(pages.mock.calls.map(([{ page, perPage }]) => [page, perPage])).toEqual(asked);
    expect(pagination.total_items).toBe(TOTAL);
  });

  test.each([
    [{ all: true, page: 2 }, "--all and --page exclude each other"],
    [{ all: true, limit: 2 }, "--all and --limit exclude each other"],
    [{ limit: 200, page: 2 }, "pages of at most 100"],
  ])("%o is refused", (flags, words) => {
    expect(() => pagingOf(flags)).toThrow(words);
  });

  test("a list that shrinks while it is read ends", async () => {
    const page = { current_page: 1, per_page: 100, total_items: 500, total_pages: 5 };
    const { items } = await readPages(pagingOf({ all: true }), async ({ page: at }) => ({
      items: at === 1 ? [1] : [],
      pagination: page,
    }));
    expect(items).toEqual([1]);
  });
});
