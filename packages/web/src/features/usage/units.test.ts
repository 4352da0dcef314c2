import type { ConcurrencyReport } from "@feather/sdk";
import { expect, test } from "vitest";
import { countFullSlices, createUnitsChart } from "./units.ts";

const WORDS = { max: "most", refused: "refused", limit: "limit", format: String };
const PERIOD = { from: "2026-11-20", to: "2026-11-21" };
const slice = (at: string, used_max: number, rejected = 0) => ({
  bucket_at: new Date(at),
  used_max,
  used_avg: 0,
  rejected,
});
const UNITS: ConcurrencyReport = {
  limit: 4,
  peak: 4,
  items: [slice("2026-11-20T00:00:00Z", 4, 2), slice("2026-11-21T00:00:00Z", 0)],
};

test.each([
  ["days", PERIOD, ["2026-11-20", "2026-11-21"]],
  ["hours", { from: "2026-11-21", to: "2026-11-21" }, ["2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"]],
])("names slices as %s, including those without calls", (_what, period, names) => {
  const { slices } = createUnitsChart(UNITS, period, WORDS);
  expect(slices.map(({ at }) => at)).toEqual(names);
  expect(slices.map(({ values, more }) => [values, more])).toEqual([
    [[4], [2]],
    [[0], [0]],
  ]);
});

test("the units chart has the plan's limit, where there is one", () => {
  expect(createUnitsChart(UNITS, PERIOD, WORDS).limit).toEqual({ value: 4, name: "limit" });
  expect(createUnitsChart({ ...UNITS, limit: null }, PERIOD, WORDS).limit).toBeUndefined();
});

test("counts slices in which every unit of the plan was in use", () => {
  expect(countFullSlices(UNITS)).toBe(1);
  expect(countFullSlices({ ...UNITS, limit: null })).toBe(0);
});
