import { isEnglish } from "./is-english.ts";

/** British dates cannot be misread: the day comes first, and months have names. */
const DEFAULT_LOCALE = "en-GB";

const MINUTE_MS = 60_000;
/** Units with their length in milliseconds, and the amount at which the next one begins. */
const AGE_STEPS = [
  ["minute", MINUTE_MS, 60],
  ["hour", 60 * MINUTE_MS, 24],
  ["day", 24 * 60 * MINUTE_MS, 30],
] as const;

const DAY = { day: "numeric", month: "short", year: "numeric" } as const;
const WEEKDAY = { weekday: "short", day: "numeric", month: "short" } as const;
const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
const MOMENT = { dateStyle: "medium", timeStyle: "medium" } as const;
const CLOCK = { timeStyle: "medium" } as const;

/** The formatters that were needed. Creating one takes many times as long as using it, and lists format thousands of dates. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns how far a date is from now, in one unit: `just now` for less than a minute, `5 minutes ago`, `3 days ago`, `in 7 days`.
 * Past times are rounded down, future ones to the nearest. Null from 30 days on, where a date says more.
 */
export function formatRelativeTime(date: Date, now: Date, locale: string = DEFAULT_LOCALE): string | null {
  const aheadMs = date.getTime() - now.getTime();
  if (Math.abs(aheadMs) < MINUTE_MS) return formatNow(locale);
  for (const [unit, length, end] of AGE_STEPS) {
    const amount = aheadMs < 0 ? Math.ceil(aheadMs / length) : Math.round(aheadMs / length);
    if (Math.abs(amount) < end) return new Intl.RelativeTimeFormat(locale).format(amount, unit);
  }
  return null;
}

/** Returns a date as ISO 8601 writes it, in UTC: `2026-12-20`. */
export function formatIsoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Returns a date: `20 Dec 2026`. `timeZone` is an IANA name, or undefined for that of the machine, also in the functions below. */
export function formatDay(date: Date, timeZone: string | undefined, locale: string = DEFAULT_LOCALE): string {
  return formatFields(date, DAY, timeZone, locale);
}

/** Returns a date with its weekday and without its year: `Sun 20 Dec`. */
export function formatWeekday(date: Date, timeZone: string | undefined, locale: string = DEFAULT_LOCALE): string {
  return formatFields(date, WEEKDAY, timeZone, locale);
}

/** Returns a date and its time with the time zone: `20 Dec 2026, 14:01 UTC`. */
export function formatMinute(date: Date, timeZone: string | undefined, locale: string = DEFAULT_LOCALE): string {
  return formatFields(date, MINUTE, timeZone, locale);
}

/** Returns a date and its time to the second: `20 Dec 2026, 14:01:02`. */
export function formatMoment(date: Date, timeZone: string | undefined, locale: string = DEFAULT_LOCALE): string {
  return formatFields(date, MOMENT, timeZone, locale);
}

/** Returns the time of a day to the second: `14:01:02`. */
export function formatClock(date: Date, timeZone: string | undefined, locale: string = DEFAULT_LOCALE): string {
  return formatFields(date, CLOCK, timeZone, locale);
}

function formatFields(
  date: Date,
  fields: Intl.DateTimeFormatOptions,
  timeZone: string | undefined,
  locale: string,
): string {
  const key = JSON.stringify([locale, timeZone, fields]);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...fields, timeZone });
  formatters.set(key, formatter);
  return formatter.format(date);
}

/** English of Intl has only `now`. */
const formatNow = (locale: string): string =>
  isEnglish(locale) ? "just now" : new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(0, "second");
