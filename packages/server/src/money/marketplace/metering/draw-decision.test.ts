import { expect, test } from "vitest";
import { countUnused, decideDraw, sumUnused } from "./draw-decision.ts";

const USD = 1_000_000_000n;
const CENT = USD / 100n;

test.each([
  ["half a dollar at least, so that not every call draws", { missingNano: CENT, leftNano: 10n * USD }, 50n],
  ["all that a call lacks, in whole units", { missingNano: USD + 1n, leftNano: 10n * USD }, 101n],
  ["what is left of the limit where that is less than half a dollar", { missingNano: CENT, leftNano: 20n * CENT }, 20n],
  ["whole units of what is left of the limit", { missingNano: CENT, leftNano: 20n * CENT + 1n }, 20n],
  ["nothing where the limit does not allow what a call lacks", { missingNano: 21n * CENT, leftNano: 20n * CENT }, null],
  ["nothing once the limit is used up", { missingNano: 1n, leftNano: 0n }, null],
  ["nothing where the limit was lowered below what was used", { missingNano: 1n, leftNano: -USD }, null],
])("draws %s", (_what, need, expected) => {
  expect(decideDraw({ ...need, unitPriceNano: CENT })).toBe(expected);
});

test("draws one unit where a unit costs more than is drawn at least", () => {
  expect(decideDraw({ missingNano: CENT, unitPriceNano: 2n * USD, leftNano: 10n * USD })).toBe(1n);
});

test.each([
  [10, 0n, 0n],
  [10, -5n, 0n],
  [10, 99n, 0n],
  [10, 100n, 1n],
  [10, 399n, 3n],
  [10, 5000n, 10n],
])("of %i units of 100 nano-USD, with %i available, %i were not used", (units, available, unused) => {
  expect(countUnused({ units, unit_price_nano_usd: "100" }, available)).toBe(unused);
});

test("credits that are available are counted once for hours with several prices, in whole units of each", () => {
  const hours = [
    { units: 2, unit_price_nano_usd: "100" },
    { units: 9, unit_price_nano_usd: "30" },
  ];
  expect(sumUnused(hours, 250n)).toBe(230n);
  expect(sumUnused(hours, 10_000n)).toBe(470n);
  expect(sumUnused([], 250n)).toBe(0n);
});
