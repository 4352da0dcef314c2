import { expect, test } from "vitest";
import {
  formatClock,
  formatDay,
  formatIsoDay,
  formatMinute,
  formatMoment,
  formatRelativeTime,
  formatWeekday,
} from "../format.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const DATE = new Date("2026-12-20T23:05:09Z");

test.each<[seconds: number, text: string | null]>([
  [0, "just now"],
  [-59, "just now"],
  [59, "just now"],
  [-60, "1 minute ago"],
  [-119, "1 minute ago"],
  [-3_599, "59 minutes ago"],
  [-3_600, "1 hour ago"],
  [-86_399, "23 hours ago"],
  [-86_400, "1 day ago"],
  [-2 * 86_400 + 1, "1 day ago"],
  [-30 * 86_400 + 1, "29 days ago"],
  [-30 * 86_400, null],
  [90, "in 2 minutes"],
  [3_599, "in 1 hour"],
  [10_800, "in 3 hours"],
  [86_399, "in 1 day"],
  [7 * 86_400 - 1, "in 7 days"],
  [29 * 86_400, "in 29 days"],
  [30 * 86_400 - 1, null],
])("a date %d seconds from now is %j", (seconds, text) => {
  expect(formatRelativeTime(new Date(NOW.getTime() + 1000 * seconds), NOW)).toBe(text);
});

test("a distance from now is in the language of the locale", () => {
  const format = (date: string, locale: string) => formatRelativeTime(new Date(date), NOW, locale);
  expect(format("2026-11-21T12:00:10Z", "de")).toBe("jetzt");
  expect(format("2026-11-20T12:00:00Z", "de")).toBe("vor 1 Tag");
  expect(format("2026-11-21T14:00:00Z", "fr")?.replace(/\s/g, " ")).toBe("dans 2 heures");
});

test("dates are British without a locale, and in the given time zone", () => {
  expect([formatDay(DATE, "UTC"), formatWeekday(DATE, "UTC"), formatMinute(DATE, "UTC")]).toEqual([
    "20 Dec 2026",
    "Sun 20 Dec",
    "20 Dec 2026, 23:05 UTC",
  ]);
  expect([formatMoment(DATE, "Asia/Tokyo"), formatClock(DATE, "Asia/Tokyo")]).toEqual([
    "21 Dec 2026, 08:05:09",
    "08:05:09",
  ]);
});

test("dates are in the language of the locale", () => {
  expect([formatDay(DATE, "UTC", "de"), formatClock(DATE, "UTC", "de")]).toEqual(["20. Dez. 2026", "23:05:09"]);
  expect(formatDay(DATE, "UTC", "en-US")).toBe("Dec 20, 2026");
});

test("without a time zone, dates are in that of the machine", () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(formatMoment(DATE, undefined)).toBe(formatMoment(DATE, timeZone));
});

test("a day of ISO 8601 is in UTC", () => {
  expect(formatIsoDay(DATE)).toBe("2026-12-20");
});

test.each([
  [formatDay, "31 Dec 2026", "1 Jan 2027"],
  [formatWeekday, "Thu 31 Dec", "Fri 1 Jan"],
  [formatMinute, "31 Dec 2026, 15:30 UTC", "1 Jan 2027, 00:30 GMT+9"],
  [formatMoment, "31 Dec 2026, 15:30:00", "1 Jan 2027, 00:30:00"],
  [formatClock, "15:30:00", "00:30:00"],
])("%o of one date differs from time zone to time zone, whichever is asked for first", (format, inUtc, inTokyo) => {
  const date = new Date("2026-12-31T15:30:00Z");
  expect([format(date, "UTC"), format(date, "Asia/Tokyo"), format(date, "UTC")]).toEqual([inUtc, inTokyo, inUtc]);
});

test.each([
  ["2026-03-29T00:59:59Z", "00:59:59"],
  ["2026-03-29T01:00:00Z", "02:00:00"],
  ["2026-10-25T00:59:59Z", "01:59:59"],
  ["2026-10-25T01:00:00Z", "01:00:00"],
])("the clock in London at %s, where it changes for the summer, shows %s", (date, text) => {
  expect(formatClock(new Date(date), "Europe/London")).toBe(text);
});

test("a date that does not exist and an unknown time zone throw RangeError", () => {
  const invalid = new Date("2026-13-01");
  for (const format of [formatDay, formatWeekday, formatMinute, formatMoment, formatClock]) {
    expect(() => format(invalid, "UTC")).toThrow(RangeError);
    expect(() => format(DATE, "Mars/Olympus")).toThrow(RangeError);
  }
  expect(() => formatIsoDay(invalid)).toThrow(RangeError);
});

test("September has four letters in British English", () => {
  expect(formatDay(new Date("2026-09-14"), "UTC")).toBe("14 Sept 2026");
});
