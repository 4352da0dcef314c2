import type { ActivityReportRow } from "@feather/sdk";
import { expect, test } from "vitest";
import { createFailuresChart } from "./failures-chart.ts";

const PERIOD = { from: "2026-11-15", to: "2026-11-21" };
const WORDS = { nameOf: (outcome: string) => outcome, format: (share: number) => `${share * 100} %`, requests: "all" };
const item = (day: string, outcome: string, request_count: number): ActivityReportRow => ({
  group: { day, outcome },
  request_count,
  error_count: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_nano_usd: "0",
});

test("the failures chart has the share of each day's failed requests by outcome, without aborted ones", () => {
  const chart = createFailuresChart(
    [
      item("2026-11-21", "completed", 5),
      item("2026-11-21", "failed", 2),
      item("2026-11-21", "interrupted", 1),
      item("2026-11-21", "aborted", 2),
      item("2026-11-20", "completed", 10),
      item("2026-01-01", "failed", 99),
    ],
    PERIOD,
    WORDS,
  );
  expect(chart.slices).toHaveLength(7);
  expect(chart.slices.slice(-3)).toEqual([
    { at: "2026-11-19", values: [0, 0], more: [0, 0, 0] },
    { at: "2026-11-20", values: [0, 0], more: [10, 10, 0] },
    { at: "2026-11-21", values: [0.2, 0.1], more: [10, 5, 2] },
  ]);
  expect(chart.series.map(({ id, total }) => [id, total])).toEqual([
    ["failed", "10 %"],
    ["interrupted", "5 %"],
  ]);
});
