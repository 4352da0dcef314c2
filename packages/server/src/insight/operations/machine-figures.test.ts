import { expect, test } from "vitest";
import { toSeries } from "../../platform/core/metrics/series.ts";
import { createMachineFigures } from "./machine-figures.ts";

type AnsweredSeries = { metric: string; labels: readonly string[]; values: readonly number[] };
type Figures = { id: string; series: AnsweredSeries[] };

/** Creates the figures of this process; the list holds the current figures of the other processes. */
function createFigures(others: { current: Figures[] }) {
  const askOthers = async () => ({ answers: others.current as never[], replicaIds: [], missing: 0 });
  return createMachineFigures({ replicas: { id: () => "rep_own" }, peers: { askOthers }, isOfThisMachine: () => true });
}

const requestsOf = (count: number) => toSeries("requests", count, "models.list", "2xx");

test("counters and sizes of all processes are added up", async () => {
  const others = { current: [{ id: "rep_b", series: [requestsOf(3), toSeries("units", 2)] }] };
  const series = await createFigures(others).combine([requestsOf(4), toSeries("units", 1)]);
  expect(series).toEqual([requestsOf(7), toSeries("units", 3)]);
});

test("when a process has ended, its counters are kept and its sizes are not", async () => {
  const others = { current: [{ id: "rep_b", series: [requestsOf(3), toSeries("units", 2)] }] };
  const figures = createFigures(others);
  await figures.combine([]);
  others.current = [{ id: "rep_c", series: [requestsOf(1)] }];
  expect(await figures.combine([requestsOf(4), toSeries("units", 1)])).toEqual([requestsOf(8), toSeries("units", 1)]);
});

test("of delays the highest is shown, and of a figure that all processes share, this process's own", async () => {
  const others = { current: [{ id: "rep_b", series: [toSeries("loopDelayMax", 0.5), toSeries("unitsLimit", 90)] }] };
  const series = await createFigures(others).combine([toSeries("loopDelayMax", 0.1), toSeries("unitsLimit", 90)]);
  expect(series).toEqual([toSeries("loopDelayMax", 0.5), toSeries("unitsLimit", 90)]);
});

test("metrics that a process of another version counts are left out if they are unknown", async () => {
  const unknown = { metric: "feathers", labels: [], values: [1] };
  expect(await createFigures({ current: [{ id: "rep_b", series: [unknown] }] }).combine([])).toEqual([]);
});
