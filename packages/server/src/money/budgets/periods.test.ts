import { expect, test } from "vitest";
import { nextLimitReset } from "./periods.ts";

test.each([
  ["none", "2026-11-18T12:00:00Z", null],
  ["day", "2026-12-31T23:59:59Z", "2027-01-01"],
  ["week", "2026-11-22T23:59:59Z", "2026-11-23"],
  ["week", "2026-11-23T00:00:00Z", "2026-11-30"],
  ["month", "2026-12-05T00:00:00Z", "2027-01-01"],
])("a spend limit per %s that is used up at %s resets at %s", (period, now, reset) => {
  expect(nextLimitReset(period, new Date(now))).toEqual(reset === null ? null : new Date(`${reset}T00:00:00Z`));
});
