import type { UsageReportRow } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { fillDays, formatErrorRate, readGroups, readPeriod, sumTotals, toReportBody, toReportCsv } from "./report.ts";

const NOW = new Date("2026-11-21T10:00:00Z");

test.each<[string | undefined, string | undefined, string, string]>([
  [undefined, undefined, "2026-11-15", "2026-11-21"],
  ["2026-11-01", undefined, "2026-11-01", "2026-11-21"],
  [undefined, "2026-11-10", "2026-11-04", "2026-11-10"],
  ["2026-11-20", "2026-11-01", "2026-11-01", "2026-11-20"],
])("reads the period from %s to %s as %s to %s", (from, to, first, last) => {
  expect(readPeriod(from, to, NOW)).toEqual({ from: first, to: last });
});

test.each<[string | null, string[]]>([
  [null, ["day"]],
  ["", ["day"]],
  ["model,day", ["model", "day"]],
  ["model,model", ["model"]],
  ["user,password", ["day"]],
  ["day,model,backend,outcome", ["day", "model", "backend"]],
])("reads the groupings %j as %j", (text, groups) => {
  expect(readGroups(text)).toEqual(groups);
});

test("a report includes its last day completely", () => {
  expect(toReportBody({ from: "2026-11-20", to: "2026-11-21" }, ["day"])).toEqual({
    start: Date.parse("2026-11-20T00:00:00Z") / 1000,
    end: Date.parse("2026-11-22T00:00:00Z") / 1000,
    group_by: ["day"],
  });
});

const row = (day: string, change: Partial<UsageReportRow> = {}): UsageReportRow => ({
  group: { day },
  request_count: 10,
  error_count: 1,
  input_tokens: 100,
  output_tokens: 50,
  cost_nano_usd: "9007199254740993",
  provider_cost_nano_usd: "9007199254740994",
  margin_nano_usd: "-1",
  unknown_cost_count: 3,
  ...change,
});

describe("the rows of a report", () => {
  test("the rows of a report are summed up, with exact costs", () => {
    expect(sumTotals([row("2026-11-20"), row("2026-11-21")])).toEqual({
      requests: 20,
      errors: 2,
      input: 200,
      output: 100,
      cost: "18014398509481986",
      providerCost: "18014398509481988",
      margin: "-2",
      unknownCosts: 6,
    });
    const nothing = { providerCost: "0", margin: "0", unknownCosts: 0 };
    expect(sumTotals([])).toEqual({ requests: 0, errors: 0, input: 0, output: 0, cost: "0", ...nothing });
  });

  test("the rows of a report result in a bar for each day", () => {
    expect(
      fillDays([row("2026-11-21"), row("2026-11-19T00:00:00Z")], { from: "2026-11-19", to: "2026-11-21" }),
    ).toEqual([
      { day: "2026-11-19", requests: 10, errors: 1 },
      { day: "2026-11-20", requests: 0, errors: 0 },
      { day: "2026-11-21", requests: 10, errors: 1 },
    ]);
  });
});

test.each([
  [0, 0, "–"],
  [10, 0, "0.0 %"],
  [3, 1, "33.3 %"],
])("the error rate of %d requests with %d errors is %s", (requests, errors, rate) => {
  expect(formatErrorRate({ requests, errors })).toBe(rate);
});

test("exports a report as CSV", () => {
  const rows = [{ ...row("2026-11-21"), group: { day: "2026-11-21", model: '=cmd("x")' } }];
  expect(toReportCsv(["day", "model"], rows)).toBe(
    `day,model,request_count,error_count,input_tokens,output_tokens,cost_nano_usd,provider_cost_nano_usd,margin_nano_usd,unknown_cost_count\r\n2026-11-21,"'=cmd(""x"")",10,1,100,50,9007199254740993,9007199254740994,-1,3\r\n`,
  );
});
