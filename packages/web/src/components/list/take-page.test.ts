import { expect, test } from "vitest";
import { containsText, takePage } from "./take-page.ts";

const rows = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  [0, 1, [], 1, 1],
  [25, 1, rows(25), 1, 1],
  [26, 1, rows(25), 1, 2],
  [26, 2, [25], 2, 2],
  [26, 9, [25], 2, 2],
])("of %d rows, page %d is what is left of them", (count, page, items, current_page, total_pages) => {
  expect(takePage(rows(count), page)).toEqual({
    items,
    pagination: { current_page, per_page: 25, total_items: count, total_pages },
  });
});

test.each([
  ["mar", true],
  ["EXAMPLE", true],
  ["", true],
  [undefined, true],
  ["jonas", false],
])("a search for %s finds Maria: %s", (search, expected) => {
  expect(containsText(["Maria Winter", "maria@example.com"], search)).toBe(expected);
});
