import { errors } from "../../platform/core/errors/index.ts";
import { DAY_MS, HOUR_MS } from "../../platform/core/time.ts";

/** A period from `start` (inclusive) to `end` (exclusive). */
export type Period = { start: Date; end: Date };

/**
 * A period and the whole hours in it, from `from` to `to`. If requests of an hour were removed (before `keptSince`), the
 * whole hour is counted.
 */
export type CountedPeriod = Period & { from: Date; to: Date };

/** The default length of a period, in milliseconds. */
export const DEFAULT_ACTIVITY_MS = 30 * DAY_MS;

/** The latest time that both the database and the API's timestamps can represent. */
const MAX_TIMESTAMP_MS = Date.parse("9999-12-31T23:59:59Z");

/**
 * Parses a period in seconds since 1970; the default is the last `defaultMs` milliseconds. Throws `invalid_request`.
 */
export function parsePeriod(
  query: { start?: number | undefined; end?: number | undefined },
  now: Date,
  defaultMs: number,
): Period {
  const end = query.end === undefined ? now.getTime() : query.end * 1000;
  const start = query.start === undefined ? Math.max(0, end - defaultMs) : query.start * 1000;
  if (end > MAX_TIMESTAMP_MS || start > MAX_TIMESTAMP_MS)
    throw errors.invalidRequest("start and end are seconds since 1970, not milliseconds.", {
      param: end > MAX_TIMESTAMP_MS ? "end" : "start",
    });
  if (start > end) throw errors.invalidRequest("start must not be later than end.", { param: "start" });
  return { start: new Date(start), end: new Date(end) };
}

/** Splits a period into whole hours, which `usage_hours` sums up, and the partial hours at both ends. */
export function toCountedPeriod({ start, end }: Period, keptSince: Date | null): CountedPeriod {
  const isKept = (time: Date) => keptSince === null || time >= keptSince;
  const hoursOf = (time: Date) => time.getTime() / HOUR_MS;
  const firstHour = isKept(start) ? Math.ceil(hoursOf(start)) : Math.floor(hoursOf(start));
  const lastHour = isKept(end) ? Math.floor(hoursOf(end)) : Math.ceil(hoursOf(end));
  const from = new Date(firstHour * HOUR_MS);
  const to = new Date(Math.max(firstHour, lastHour) * HOUR_MS);
  return { from, to, start: isKept(start) ? start : from, end: isKept(end) ? end : to };
}

/** Returns the part of a period whose requests were not removed. Empty if all of them were. */
export function limitToKept({ start, end }: Period, keptSince: Date | null): Period {
  if (keptSince === null || start >= keptSince) return { start, end };
  return { start: keptSince, end: end > keptSince ? end : keptSince };
}

/** Returns the time since which requests were kept, for a response. */
export const toKeptSinceDate = (keptSince: Date | null): string | null => keptSince?.toISOString() ?? null;
