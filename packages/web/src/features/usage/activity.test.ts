import type { ActivityReportRow } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { toChartCsv } from "#/components/chart/chart-data.ts";
import { aggregateActivity, countTokens, createActivityChart, type GroupBy, getCostNanoUsd } from "./activity.ts";
import { toPeriod } from "./period.ts";

const TODAY = "2026-11-21";
const item = (
  group: Record<string, string>,
  tokens: number,
  more: Partial<ActivityReportRow> = {},
): ActivityReportRow => ({
  group,
  request_count: 1,
  error_count: 0,
  input_tokens: tokens - 1,
  output_tokens: 1,
  cost_nano_usd: "0",
  ...more,
});

const ofTokens = (items: ActivityReportRow[], split: GroupBy, days: number) =>
  aggregateActivity(items, split, toPeriod(days, TODAY), countTokens);

describe("activity", () => {
  test("activity has every day of the period, including those without requests, and no other days", () => {
    const items = [item({ day: "2026-11-21", model: "a" }, 10), item({ day: "2026-01-01", model: "a" }, 10)];
    const { slices } = ofTokens(items, "model", 7);
    expect(slices.map(({ at }) => at)).toEqual(
      "2026-11-15 2026-11-16 2026-11-17 2026-11-18 2026-11-19 2026-11-20 2026-11-21".split(" "),
    );
    expect(slices.map(({ amounts }) => amounts)).toEqual([[0], [0], [0], [0], [0], [0], [10]]);
  });

  test("activity of one day is grouped by hour", () => {
    const { slices } = ofTokens([item({ hour: "2026-11-21T12:00:00Z", model: "a" }, 5)], "model", 1);
    expect([slices.length, slices[0]?.at, slices[12]?.amounts]).toEqual([24, "2026-11-21T00:00:00Z", [5]]);
  });

  test.each([
    ["four of four", { a: 4, b: 3, c: 2, d: 1 }, ["a", "b", "c", "d"], [4, 3, 2, 1]],
    ["three of five and the rest", { a: 5, b: 9, c: 7, d: 2, e: 3 }, ["b", "c", "a", null], [9, 7, 5, 5]],
    ["equal ones by name", { b: 2, a: 2 }, ["a", "b"], [2, 2]],
    ["none", {}, [], []],
  ])("activity shows the largest series: %s", (_what, totals, ids, tokens) => {
    const items = Object.entries(totals).map(([model, total]) => item({ day: "2026-11-21", model }, total));
    const { series, slices } = ofTokens(items, "model", 7);
    expect(series.map(({ id }) => id)).toEqual(ids);
    expect(slices.at(-1)?.amounts).toEqual(tokens);
  });

  test("activity counts requests and failures, including those without a key", () => {
    const items = [item({ day: "2026-11-21" }, 2, { request_count: 3, error_count: 2 })];
    const { series, slices } = ofTokens(items, "api_key", 7);
    expect(series).toEqual([{ id: "", total: 2 }]);
    expect(slices.at(-1)).toMatchObject({ requests: 3, errors: 2 });
  });

  test("activity can be measured in credits", () => {
    const items = [item({ day: "2026-11-21", model: "a" }, 2, { cost_nano_usd: "58000" })];
    const { series, slices } = aggregateActivity(items, "model", toPeriod(7, TODAY), getCostNanoUsd);
    expect([series, slices.at(-1)?.amounts]).toEqual([[{ id: "a", total: 58_000 }], [58_000]]);
  });

  test("activity is exported as CSV", () => {
    const items = [item({ day: "2026-11-21", model: "=cmd" }, 2)];
    const chart = createActivityChart(ofTokens(items, "model", 7), {
      nameOf: (id) => id ?? "others",
      format: String,
      more: ["requests", "errors"],
    });
    const lines = toChartCsv(chart).split("\r\n");
    expect(lines[0]).toBe("time,'=cmd,requests,errors");
    expect(lines[7]).toBe("2026-11-21,2,1,0");
  });
});
