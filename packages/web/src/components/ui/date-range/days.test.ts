import { expect, test } from "vitest";
import { addDays, addMonths, clampDay, isDay, isWithin, listWeeks, sortRange } from "./days.ts";

test.each([
  ["2026-11-21", true],
  ["2028-02-29", true],
  ["2026-02-29", false],
  ["2026-13-01", false],
  ["21.11.2026", false],
  ["", false],
])("whether %j is a day: %s", (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

test.each([
  ["2026-11-30", 1, "2026-12-01"],
  ["2026-03-01", -1, "2026-02-28"],
  // Clocks go forward on this day in Europe.
  ["2026-03-29", 1, "2026-03-30"],
])("%s and %i days is %s", (day, count, expected) => {
  expect(addDays(day, count)).toBe(expected);
});

test.each([
  ["2026-11-21", 1, "2026-12-21"],
  ["2026-12-31", 2, "2027-02-28"],
  ["2026-01-15", -1, "2025-12-15"],
])("%s and %i months is %s", (day, count, expected) => {
  expect(addMonths(day, count)).toBe(expected);
});

test.each([
  ["Monday", 1, "2026-10-26", "2026-12-06"],
  ["Sunday", 7, "2026-11-01", "2026-12-05"],
])("the weeks of a month begin on %s, and hold all of its days", (_name, firstWeekday, first, last) => {
  const weeks = listWeeks("2026-11-21", firstWeekday);
  expect([weeks[0]?.[0], weeks.at(-1)?.at(-1)]).toEqual([first, last]);
  expect(weeks.every((week) => week.length === 7)).toBe(true);
});

test("a range is put in order, and has an inside only between two days", () => {
  expect(sortRange({ from: "2026-11-21", to: "2026-11-01" })).toEqual({ from: "2026-11-01", to: "2026-11-21" });
  expect(isWithin("2026-11-21", { from: "2026-11-01", to: "2026-11-21" })).toBe(true);
  expect(isWithin("2026-11-22", { from: "2026-11-01", to: "2026-11-21" })).toBe(false);
  expect(isWithin("2026-11-21", { from: "2026-11-01", to: "" })).toBe(false);
});

test.each([
  ["2026-11-20", undefined, undefined, "2026-11-20"],
  ["2026-11-20", "2026-11-21", undefined, "2026-11-21"],
  ["2026-11-20", undefined, "2026-11-19", "2026-11-19"],
  ["2026-11-20", "2026-11-19", "2026-11-21", "2026-11-20"],
])("the day %s is kept within %s and %s", (day, min, max, expected) => {
  expect(clampDay(day, min, max)).toBe(expected);
});
