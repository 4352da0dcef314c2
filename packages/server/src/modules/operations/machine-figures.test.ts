import { expect, test } from "vitest";
import { toSeries } from "../../core/metrics/series.ts";
import { createMachineFigures } from "./machine-figures.ts";

type AnsweredSeries = { metric: string; labels: readonly string[]; values: readonly number[] };
type Figures = { id: string; series: AnsweredSeries[] };

/** Creates the figures of this process; the list holds the current figures of the other processes. */
function createFigures(others: { current: Figures[] }) {
  const askOthers = async () => ({ answers: others.current as never[], replicaIds: [], missing: 0 });
  return createMachineFigures({ replicas: { id: () => "rep_own" }, peers: { askOthers }, isOfThisMachine: () => true });
}

const requestsOf = (count: number) => toSeries("requests", count, "models.list", "2xx");

test("counts and sizes of all processes are added up", async () => {
  const others = { current: [{ id: "rep_b", series: [requestsOf(3), toSeries("units", 2)] }] };
  const series = await createFigures(others).combine([requestsOf(4), toSeries("units", 1)]);
  expect(series).toEqual([requestsOf(7), toSeries("units", 3)]);
});

test("counts of a process that has ended stay, and its sizes go", async () => {
  const others = { current: [{ id: "rep_b", series: [requestsOf(3), toSeries("units", 2)] }] };
  const figures = createFigures(others);
  await figures.combine([]);
  others.current = [{ id: "rep_c", series: [requestsOf(1)] }];
  expect(await figures.combine([requestsOf(4), toSeries("units", 1)])).toEqual([requestsOf(8), toSeries("units", 1)]);
});

test("of delays the highest is shown, and of what all see alike the own figure", async () => {
  const others = { current: [{ id: "rep_b", series: [toSeries("loopDelayMax", 0.5), toSeries("unitsLimit", 90)] }] };
  const series = await createFigures(others).combine([toSeries("loopDelayMax", 0.1), toSeries("unitsLimit", 90)]);
  expect(series).toEqual([toSeries("loopDelayMax", 0.5), toSeries("unitsLimit", 90)]);
});

test("what a process of another version counts is left out", async () => {
  const unknown = { metric: "feathers", labels: [], values: [1] };
  expect(await createFigures({ current: [{ id: "rep_b", series: [unknown] }] }).combine([])).toEqual([]);
});
