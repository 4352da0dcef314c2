import { expect, test } from "vitest";
import { pageNumbers } from "./page-numbers.ts";

const words = (current: number, pages: number) =>
  pageNumbers(current, pages)
    .map((page) => page ?? "…")
    .join(" ");

test.each([
  [1, 1, "1"],
  [1, 2, "1 2"],
  [1, 4, "1 2 3 4"],
  [1, 16, "1 2 … 16"],
  [3, 16, "1 2 3 4 … 16"],
  [4, 16, "1 2 3 4 5 … 16"],
  [8, 16, "1 … 7 8 9 … 16"],
  [13, 16, "1 … 12 13 14 15 16"],
  [16, 16, "1 … 15 16"],
  [40_000, 40_000, "1 … 39999 40000"],
])("page %i of %i shows %s", (current, pages, shown) => expect(words(current, pages)).toBe(shown));
