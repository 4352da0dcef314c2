import { expect, test } from "vitest";
import { Histogram, type Series, toSeries } from "../../platform/core/metrics/series.ts";
import { OperationsHistory } from "./history.ts";

const requests = (ok: number, refused: number): Series[] => [
  toSeries("requests", ok, "models.list", "2xx"),
  toSeries("requests", refused, "auth.login", "4xx"),
];

test("compares each sample with the one before", () => {
  const history = new OperationsHistory(10);
  const firstTokens = new Histogram("firstTokenSeconds");
  firstTokens.observe(100);
  history.add({ at: 0, series: [...requests(5, 1), firstTokens.snapshot("a/b", "chat")] });
  expect(history.list()).toEqual([]);
  for (let index = 0; index < 100; index++) firstTokens.observe(0.2);
  const gauges = [toSeries("units", 7), toSeries("databaseConnections", 2, "in_use")];
  history.add({ at: 10_000, series: [...requests(25, 6), ...gauges, firstTokens.snapshot("a/b", "chat")] });
  const [point] = history.list();
  expect(point).toMatchObject({
    at: new Date(10_000),
    requestsPerSecond: 2.5,
    refusedPerSecond: 0.5,
    failedPerSecond: 0,
    units: 7,
    databaseInUse: 2,
    queryP95Ms: null,
  });
  // All observations since the last sample are in the bucket from 0.1 to 0.25 seconds. Earlier observations do not count.
  expect(point?.firstTokenP95Ms).toBeGreaterThan(100);
  expect(point?.firstTokenP95Ms).toBeLessThanOrEqual(250);
});

test("keeps no more points than it may, the latest ones", () => {
  const history = new OperationsHistory(3);
  for (let index = 0; index < 10; index++) history.add({ at: index * 1_000, series: [] });
  expect(history.list().map(({ at }) => at.getTime())).toEqual([7_000, 8_000, 9_000]);
});

test("leaves out a sample of the same moment, after the clock was set back", () => {
  const history = new OperationsHistory(3);
  for (const at of [5_000, 5_000, 1_000, 2_000]) history.add({ at, series: [] });
  expect(history.list().map(({ at }) => at.getTime())).toEqual([2_000]);
});
