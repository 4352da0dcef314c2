import { expect, test } from "vitest";
import { listSliceNames, readPeriod, toPeriod, toTimeRange } from "./period.ts";

const TODAY = "2026-11-21";

test.each([
  ["", { from: "2026-10-23", to: TODAY }],
  ["from=2026-11-01", { from: "2026-11-01", to: TODAY }],
  ["to=2026-11-10", { from: "2026-10-12", to: "2026-11-10" }],
  ["from=2026-11-10&to=2026-11-01", { from: "2026-11-01", to: "2026-11-10" }],
  ["from=2026-02-30&to=soon", { from: "2026-10-23", to: TODAY }],
  ["from=2026-11-20&to=2027-01-01", { from: "2026-11-20", to: TODAY }],
  ["from=2027-01-01&to=2027-01-02", { from: TODAY, to: TODAY }],
  ["from=2001-01-01", { from: "2025-11-21", to: TODAY }],
])("reads the period of ?%s", (search, period) => {
  expect(readPeriod(new URLSearchParams(search), TODAY)).toEqual(period);
});

test("a period has all its days, and ends with the last of them", () => {
  const period = toPeriod(3, TODAY);
  expect(listSliceNames(period)).toEqual(["2026-11-19", "2026-11-20", TODAY]);
  expect(toTimeRange(period)).toEqual({
    start: Date.parse("2026-11-19T00:00:00Z") / 1000,
    end: Date.parse("2026-11-22T00:00:00Z") / 1000,
  });
});

test("a period of one day has its hours", () => {
  const names = listSliceNames(toPeriod(1, TODAY));
  expect([names.length, names[0], names.at(-1)]).toEqual([24, "2026-11-21T00:00:00Z", "2026-11-21T23:00:00Z"]);
});
