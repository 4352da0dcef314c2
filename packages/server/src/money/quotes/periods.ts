import { HOUR_MS } from "../../platform/core/time.ts";

/** How often a plan is billed. */
export type Interval = "month" | "year";
/** A billing period; `end` is the start of the next one. */
export type Period = { start: Date; end: Date };

/**
 * Adds `count` intervals to the anchor, in UTC. Always counted from the anchor, so that a short month does not shorten
 * those after it: 31 January, 28 February, 31 March.
 */
export function addIntervals(anchor: Date, interval: Interval, count: number): Date {
  const months = interval === "year" ? count * 12 : count;
  const result = new Date(anchor);
  result.setUTCDate(1);
  result.setUTCMonth(anchor.getUTCMonth() + months);
  result.setUTCDate(Math.min(anchor.getUTCDate(), daysInMonth(result)));
  return result;
}

/** Returns the period with this index; period 0 begins at the anchor. */
export function periodAt(anchor: Date, interval: Interval, index: number): Period {
  return { start: addIntervals(anchor, interval, index), end: addIntervals(anchor, interval, index + 1) };
}

/**
 * Returns the hours from one date to the other, rounded up, so that a purchase within the first hour pays for the whole
 * period.
 */
export function hoursBetween(from: Date, to: Date): number {
  return Math.max(0, Math.ceil((to.getTime() - from.getTime()) / HOUR_MS));
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}
