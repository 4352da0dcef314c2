import { describe, expect, test } from "vitest";
import { changeParams, readModelFilters } from "./model-list-params.ts";
import { adjacentDays, formatLongDay, groupByMonth, isDay, listYears } from "./release-days.ts";

const BASE = { family: "qwen", perPage: 25, sort: "-released_date" };

test.each([
  ["", BASE],
  [
    "search= coder &sort=name&availability=warm&page=3",
    { ...BASE, search: "coder", sort: "name", availability: "warm", page: 3 },
  ],
  ["sort=drop+table&availability=hot", BASE],
  ["page=0", BASE],
  ["page=-1", BASE],
  ["page=1.5", BASE],
  ["page=99999999", BASE],
  ["family=other&perPage=1", BASE],
  [`search=${"x".repeat(300)}`, { ...BASE, search: "x".repeat(200) }],
])("reads the filters of the address ?%s", (query, filters) => {
  expect(readModelFilters(new URLSearchParams(query), { family: "qwen" })).toEqual(filters);
});

test.each([
  ["page=3&sort=name", { search: "a" }, "sort=name&search=a"],
  ["search=a", { search: "" }, ""],
  ["search=a&page=2", { page: "3" }, "search=a&page=3"],
])("changes the address ?%s by %j", (before, change, after) => {
  expect(changeParams(new URLSearchParams(before), change).toString()).toBe(after);
});

test.each([
  ["2025-04-29", true],
  ["2024-02-29", true],
  ["2025-02-29", false],
  ["2025-13-01", false],
  ["2025-4-29", false],
  ["", false],
  ["today", false],
  ["2025-04-29T00:00:00Z", false],
])("%s is a date: %s", (text, day) => {
  expect(isDay(text)).toBe(day);
});

describe("adjacent release days", () => {
  const days = ["2025-05-02", "2025-04-29", "2025-04-01"].map((date) => ({ date, model_count: 1 }));
  test.each([
    ["2025-04-29", "2025-04-01", "2025-05-02"],
    ["2025-05-02", "2025-04-29", undefined],
    ["2025-04-01", undefined, "2025-04-29"],
    ["2025-04-30", "2025-04-29", "2025-05-02"],
  ])("adjacent release days of %s are %s and %s", (date, earlier, later) => {
    const found = adjacentDays(days, date);
    expect([found.earlier?.date, found.later?.date]).toEqual([earlier, later]);
  });
});

test("formats a date in long form", () => expect(formatLongDay("2025-04-29")).toBe("29 April 2025"));

describe("the release calendar", () => {
  const days = ["2026-01-03", "2025-11-20", "2025-04-29", "2025-04-01"].map((date) => ({ date, model_count: 1 }));

  test("the release calendar lists years with their latest release day", () => {
    expect(listYears(days)).toEqual([
      { year: "2026", latest: "2026-01-03" },
      { year: "2025", latest: "2025-11-20" },
    ]);
  });

  test("the release calendar lists months and days of a year in chronological order", () => {
    expect(
      groupByMonth(days, "2025").map(({ month, days: own }) => [month, own.map(({ date }) => date.slice(8))]),
    ).toEqual([
      ["2025-04", ["01", "29"]],
      ["2025-11", ["20"]],
    ]);
    expect(groupByMonth(days, "1999")).toEqual([]);
  });
});
