import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { proportion } from "../../platform/core/money.ts";
import { addIntervals, hoursBetween, type Interval, periodAt } from "./periods.ts";

const date = (text: string) => new Date(`${text}Z`);
const anchors = fc.date({ min: date("1999-01-01T00:00:00"), max: date("2099-12-31T23:59:59"), noInvalidDate: true });
const intervals = fc.constantFrom<Interval>("month", "year");

describe("periods counted from an anchor", () => {
  test.each([
    ["31 January", "2026-01-31T10:00:00", "month", ["02-28", "03-31", "04-30", "05-31", "06-30"]],
    ["30 January", "2026-01-30T10:00:00", "month", ["02-28", "03-30", "04-30"]],
    ["29 January of a leap year", "2028-01-29T00:00:00", "month", ["02-29", "03-29"]],
    ["31 August", "2026-08-31T23:59:59", "month", ["09-30", "10-31", "11-30", "12-31", "01-31", "02-28"]],
    ["29 February", "2028-02-29T12:00:00", "year", ["02-28", "02-28", "02-28", "02-29"]],
    ["the day clocks go forward in Europe", "2026-03-29T01:30:00", "month", ["04-29", "05-29"]],
    ["the day clocks go back in America", "2026-11-01T06:30:00", "month", ["12-01", "01-01"]],
  ] as const)(
    "periods counted from an anchor end on the same day of the month, or on its last: %s",
    (_what, anchor, interval, days) => {
      const ends = days.map((_day, index) => addIntervals(date(anchor), interval, index + 1).toISOString());
      expect(ends.map((end) => end.slice(5, 10))).toEqual(days);
      // Daylight saving time does not move the ends: the time of day in UTC stays the same.
      expect(new Set(ends.map((end) => end.slice(11, 19)))).toEqual(new Set([anchor.slice(11)]));
    },
  );

  test("periods counted from an anchor join without gap or overlap for any anchor", () => {
    fc.assert(
      fc.property(anchors, intervals, fc.integer({ min: 0, max: 240 }), (anchor, interval, index) => {
        const period = periodAt(anchor, interval, index);
        expect(period.start < period.end).toBe(true);
        expect(periodAt(anchor, interval, index + 1).start).toEqual(period.end);
        const days = (period.end.getTime() - period.start.getTime()) / 86_400_000;
        expect(days).toBeGreaterThanOrEqual(interval === "month" ? 28 : 365);
        expect(days).toBeLessThanOrEqual(interval === "month" ? 31 : 366);
      }),
    );
  });

  test("periods counted from an anchor keep the day and time of the anchor where the month has that day", () => {
    fc.assert(
      fc.property(anchors, fc.integer({ min: 0, max: 600 }), (anchor, count) => {
        const moved = addIntervals(anchor, "month", count);
        const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
        expect(moved.getUTCDate()).toBe(Math.min(anchor.getUTCDate(), lastDay));
        expect(moved.getTime() % 86_400_000).toBe(anchor.getTime() % 86_400_000);
        const months =
          (moved.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + moved.getUTCMonth() - anchor.getUTCMonth();
        expect(months).toBe(count);
      }),
    );
  });

  test("periods of a year equal twelve of a month", () => {
    fc.assert(
      fc.property(anchors, fc.integer({ min: 0, max: 20 }), (anchor, years) => {
        expect(addIntervals(anchor, "year", years)).toEqual(addIntervals(anchor, "month", years * 12));
      }),
    );
  });
});

describe("a share of an amount", () => {
  const amounts = fc.integer({ min: 0, max: 2_000_000_000 });
  const seconds = fc.integer({ min: 1, max: 366 * 86_400 });

  test("a share of an amount is rounded to the nearest cent, and never exceeds the amount", () => {
    fc.assert(
      fc.property(amounts, seconds, fc.double({ min: 0, max: 1, noNaN: true }), (amount, whole, fraction) => {
        const part = Math.floor(whole * fraction);
        const result = proportion(amount, part, whole);
        expect(2n * BigInt(Math.abs(result)) * BigInt(whole) - 2n * BigInt(amount) * BigInt(part)).toBeLessThanOrEqual(
          BigInt(whole),
        );
        expect(result).toBeGreaterThanOrEqual(0);
        expect(result).toBeLessThanOrEqual(amount);
        expect(Number.isInteger(result)).toBe(true);
      }),
    );
  });

  test("a share of an amount and the share of the rest add up to the amount within a cent", () => {
    fc.assert(
      fc.property(amounts, seconds, fc.double({ min: 0, max: 1, noNaN: true }), (amount, whole, fraction) => {
        const part = Math.floor(whole * fraction);
        const sum = proportion(amount, part, whole) + proportion(amount, whole - part, whole);
        expect(sum - amount).toBeGreaterThanOrEqual(0);
        expect(sum - amount).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("a share of an amount is 0 of an empty or negative period", () => {
    expect(proportion(2500, 5, 0)).toBe(0);
    expect(hoursBetween(date("2026-02-01T00:00:00"), date("2026-01-01T00:00:00"))).toBe(0);
  });
});
