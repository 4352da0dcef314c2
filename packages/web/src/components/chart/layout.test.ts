import { expect, test } from "vitest";
import type { ChartData } from "./chart-data.ts";
import { type ChartSpace, createLayout, stackBars } from "./layout.ts";

const SPACE: ChartSpace = { width: 700, height: 200, isRightToLeft: false, isSmall: false };
const listDays = (count: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.UTC(2026, 10, index + 1)).toISOString().slice(0, 10));
const createChart = (values: readonly (number | null)[], more: Partial<ChartData> = {}): ChartData => ({
  kind: "bars",
  series: [{ id: "a", name: "production" }],
  more: [],
  slices: listDays(values.length).map((at, index) => ({ at, values: [values[index] ?? null], more: [] })),
  format: String,
  ...more,
});
const labels = (ticks: readonly { label: string }[]) => ticks.map(({ label }) => label);

test.each([
  ["round values that reach beyond the highest", [3, 87], {}, ["0", "20", "40", "60", "80", "100"]],
  ["whole numbers of a count", [0, 1], { isCount: true }, ["0", "1"]],
  [
    "fractions of a share",
    [0.01, 0.05],
    { format: (share: number) => `${share * 100} %` },
    ["0 %", "1 %", "2 %", "3 %", "4 %", "5 %"],
  ],
  ["values up to the limit", [1], { isCount: true, limit: { value: 4, name: "limit" } }, ["0", "1", "2", "3", "4"]],
  ["something where all is zero", [0, 0], { isCount: true }, ["0", "1"]],
])("the axis of values is marked at %s", (_what, values, more, expected) => {
  expect(labels(createLayout(createChart(values, more), SPACE).valueTicks)).toEqual(expected);
});

test("every day of a week is labelled, below the middle of its bar", () => {
  const { timeTicks, centers } = createLayout(createChart([1, 2, 3, 4, 5, 6, 7]), SPACE);
  expect(labels(timeTicks)).toEqual(["1 Nov", "2 Nov", "3 Nov", "4 Nov", "5 Nov", "6 Nov", "7 Nov"]);
  expect(timeTicks.map(({ position }) => position)).toEqual(centers);
});

test("months of different lengths have bars of one width, labelled with month and year below their middle", () => {
  const slices = ["2026-01", "2026-02", "2026-03"].map((at) => ({ at, values: [1], more: [] }));
  const { timeTicks, centers, step } = createLayout(createChart([], { slices }), SPACE);
  expect(labels(timeTicks)).toEqual(["Jan 2026", "Feb 2026", "Mar 2026"]);
  expect(timeTicks.map(({ position }) => position)).toEqual(centers);
  expect(centers.map((center) => Math.round(center - (centers[0] ?? 0)))).toEqual([0, step, 2 * step].map(Math.round));
});

test.each([343, 700, 1200])("labels of times do not touch one another at %i px", (width) => {
  const { timeTicks } = createLayout(createChart(Array.from({ length: 90 }, () => 1)), { ...SPACE, width });
  expect(timeTicks.length).toBeGreaterThan(1);
  const [first, second] = timeTicks;
  expect((second?.position ?? 0) - (first?.position ?? 0)).toBeGreaterThan(60);
});

test("hours are labelled in the reader's time zone, where they begin", () => {
  const from = new Date(2026, 10, 21, 0).getTime();
  const slices = Array.from({ length: 24 }, (_, hour) => ({
    at: new Date(from + hour * 3_600_000).toISOString(),
    values: [1],
    more: [],
  }));
  const { timeTicks, centers, step } = createLayout(createChart([], { slices }), SPACE);
  expect(labels(timeTicks).slice(0, 2)).toEqual(["21 Nov", "03:00"]);
  expect(timeTicks[0]?.position).toBeCloseTo((centers[0] ?? 0) - step / 2);
});

test("marks within a minute have seconds, so that no two are the same", () => {
  const from = new Date(2026, 10, 21, 17, 47).getTime();
  const slices = Array.from({ length: 6 }, (_, index) => ({
    at: new Date(from + index * 10_000).toISOString(),
    values: [1],
    more: [],
  }));
  const found = labels(createLayout(createChart([], { slices }), SPACE).timeTicks);
  expect(found).toContain("17:47:15");
  expect(new Set(found).size).toBe(found.length);
});

test("time runs from right to left where the text does", () => {
  const { centers, left, right } = createLayout(createChart([1, 2]), { ...SPACE, isRightToLeft: true });
  expect(centers[0]).toBeGreaterThan(centers[1] ?? 0);
  expect(left).toBeLessThan(centers[1] ?? 0);
  expect(right).toBeGreaterThan(centers[0] ?? 0);
});

test("the parts of a bar stand on one another, in the order of the series", () => {
  const chart: ChartData = {
    ...createChart([]),
    series: [
      { id: "a", name: "a" },
      { id: "b", name: "b" },
    ],
    slices: [{ at: "2026-11-21", values: [2, 3], more: [] }],
  };
  expect(stackBars(chart, (value) => 100 - 10 * value)).toEqual([
    [
      { series: 0, y: 80, height: 20 },
      { series: 1, y: 50, height: 30 },
    ],
  ]);
});
