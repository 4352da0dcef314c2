import { expect, test } from "vitest";
import { type ChartData, getMaxValue, listNonEmptySlices, toChartCsv } from "./chart-data.ts";

const CHART: ChartData = {
  kind: "bars",
  series: [
    { id: "a", name: "production" },
    { id: "b", name: "ci" },
  ],
  more: ["requests"],
  slices: [
    { at: "2026-11-19", values: [1, 2], more: [3] },
    { at: "2026-11-20", values: [0, 0], more: [0] },
    { at: "2026-11-21", values: [0, 0], more: [1] },
  ],
  format: String,
};

test("a chart's maximum is the largest sum of a slice", () => {
  expect(getMaxValue(CHART)).toBe(3);
  expect(getMaxValue({ ...CHART, slices: [] })).toBe(0);
});

test("a chart's table lists slices that are not empty, latest first", () => {
  expect(listNonEmptySlices(CHART).map(({ at }) => at)).toEqual(["2026-11-21", "2026-11-19"]);
});

test.each([
  ["plain", {}, "time,production,ci,requests", "2026-11-19,1,2,3"],
  ["with a unit", { unit: "USD" }, "time,production (USD),ci (USD),requests", "2026-11-19,1,2,3"],
  ["with a limit", { limit: { value: 4, name: "limit" } }, "time,production,ci,requests,limit", "2026-11-19,1,2,3,4"],
])("a chart is exported with every slice: %s", (_what, more, head, first) => {
  const lines = toChartCsv({ ...CHART, ...more }).split("\r\n");
  expect([lines[0], lines[1], lines.length]).toEqual([head, first, 5]);
});
