import type { OperationsPoint } from "@feather/sdk";
import { expect, test } from "vitest";
import { operations } from "#/testing/admin.ts";
import { createCharts, groupPoints } from "./charts.ts";

const [first] = operations.points;
const pointOf = (index: number, fields: Partial<OperationsPoint> = {}): OperationsPoint => ({
  ...(first as OperationsPoint),
  at: index * 10_000,
  ...fields,
});
const chartOf = (id: string, points: readonly OperationsPoint[]) =>
  createCharts(points).find((chart) => chart.id === id)?.chart;

test("a chart of operations shows each point while there are few, and at most sixty of an hour", () => {
  expect(groupPoints([])).toEqual([]);
  expect(groupPoints([pointOf(1), pointOf(2)])).toHaveLength(2);
  const hour = Array.from({ length: 360 }, (_, index) => pointOf(index));
  expect(groupPoints(hour)).toHaveLength(60);
  expect(groupPoints(hour.slice(0, 61)).flat()).toHaveLength(61);
});

test("a chart of operations averages rates, and shows the highest of delays and counts", () => {
  const hour = Array.from({ length: 360 }, (_, index) =>
    pointOf(index, {
      requests_per_second: index % 2,
      loop_delay_ms: index === 3 ? 500 : 1,
      first_token_p95_ms: index < 6 ? null : 80,
    }),
  );
  expect(chartOf("requests", hour)?.slices[0]?.values[0]).toBe(0.5);
  expect(chartOf("event-loop", hour)?.slices[0]?.values[0]).toBe(500);
  expect(chartOf("first-token", hour)?.slices[0]?.values[1]).toBeNull();
  expect(chartOf("first-token", hour)?.slices[1]?.values[1]).toBe(80);
});
