import type { DeploymentMetricsBucket } from "@feather/sdk";
import { expect, test } from "vitest";
import { bucketSeconds, createMetricsCharts, fillPoints, sumTotals, toMetricsCsv } from "./metrics.ts";

const START = 1_763_560_800; // a full hour
const bucket = (at: number, more: object = {}) =>
  ({
    bucket_at: new Date(at * 1000),
    requests: 10,
    errors: 1,
    p50_ttft_ms: 200,
    tokens_per_s: 40,
    ...more,
  }) as unknown as DeploymentMetricsBucket;

test.each([
  [1, 60],
  [24, 300],
  [168, 3_600],
  [720, 21_600],
])("%d hours have buckets of %d seconds, like the server's", (hours, step) => {
  expect(bucketSeconds(0, hours * 3_600)).toBe(step);
});

test("buckets without requests have zero requests and no speed", () => {
  const points = fillPoints({ items: [bucket(START + 120)], start: START, end: START + 300 });
  expect(points.map(({ requests }) => requests)).toEqual([0, 0, 10, 0, 0]);
  expect(points.map(({ firstTokenMs }) => firstTokenMs)).toEqual([null, null, 200, null, null]);
});

test("a period that starts within a bucket includes that bucket", () => {
  const points = fillPoints({ items: [bucket(START)], start: START + 30, end: START + 90 });
  expect(points.map(({ requests }) => requests)).toEqual([10, 0]);
});

test("speeds are weighted by requests", () => {
  const items = [
    bucket(START, { requests: 3, p50_ttft_ms: 100 }),
    bucket(START + 60, { requests: 1, p50_ttft_ms: 500 }),
  ];
  expect(sumTotals(fillPoints({ items, start: START, end: START + 120 }))).toEqual({
    requests: 4,
    errors: 2,
    firstTokenMs: 200,
    tokensPerSecond: 40,
  });
  expect(sumTotals([])).toMatchObject({ requests: 0, firstTokenMs: null });
});

test("the CSV file has a line for each point", () => {
  const points = fillPoints({ items: [bucket(START, { tokens_per_s: null })], start: START, end: START + 120 });
  expect(toMetricsCsv(points).split("\r\n")).toEqual([
    "bucket_at,requests,errors,p50_ttft_ms,tokens_per_s",
    "2025-11-19T14:00:00.000Z,10,1,200,",
    "2025-11-19T14:01:00.000Z,0,0,,",
    "",
  ]);
});

const FORMATS = { formatMilliseconds: (ms: number) => `${ms} ms`, formatPerSecond: (speed: number) => `${speed}/s` };

test("the charts keep apart what was not measured from what was zero", () => {
  const points = fillPoints({ items: [bucket(START, { tokens_per_s: null })], start: START, end: START + 120 });
  const charts = createMetricsCharts(points, FORMATS);
  expect(charts.map(({ chart }) => chart.slices.map(({ values }) => values))).toEqual([
    [
      [10, 1],
      [0, 0],
    ],
    [[200], [null]],
    [[null], [null]],
  ]);
  expect(charts[1]?.chart.slices[0]?.at).toBe("2025-11-19T14:00:00.000Z");
});

test("failed requests are a line of their own only where there are some", () => {
  const points = fillPoints({ items: [bucket(START, { errors: 0 })], start: START, end: START + 60 });
  const [requests] = createMetricsCharts(points, FORMATS);
  expect(requests?.title).toBe("Requests");
  expect(requests?.chart.series.map(({ id }) => id)).toEqual(["requests"]);
});
