import { expect, test } from "vitest";
import { decideDraw } from "./draw-decision.ts";

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
