import { formatIsoDay } from "#/lib/format.ts";
import { DAY_MS } from "#/lib/time.ts";

/** A UTC day, as `2026-11-21`. */
export type Day = string;
/** A period of whole days in UTC, both included; an empty day leaves that side open. */
export type DayRange = { from: Day; to: Day };

const WEEK = 7;

/** Returns the UTC day of a moment. */
export const toDay = (moment: Date): Day => formatIsoDay(moment);

/** Returns whether a text is a day that exists. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && toDay(new Date(time)) === text;
}

/** Returns the day that is `count` days later. */
export const addDays = (day: Day, count: number): Day => toDay(new Date(Date.parse(day) + count * DAY_MS));

/** Returns the day, or the first or last one that is allowed if it is before or after it. */
export function clampDay(day: Day, min: Day | undefined, max: Day | undefined): Day {
  if (min !== undefined && day < min) return min;
  return max !== undefined && day > max ? max : day;
}

/** Returns the day `count` months later, or the last day of that month where it is shorter. */
export function addMonths(day: Day, count: number): Day {
  const date = new Date(day);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0)).getUTCDate();
  return toDay(new Date(first + (Math.min(date.getUTCDate(), last) - 1) * DAY_MS));
}

/** Returns how many days a day is after the start of its week. `firstWeekday` is 1 for Monday to 7 for Sunday. */
export const getWeekPosition = (day: Day, firstWeekday: number): number =>
  (new Date(day).getUTCDay() - firstWeekday + 2 * WEEK) % WEEK;

/** Returns the weeks that the month of a day touches, each with seven days. */
export function listWeeks(day: Day, firstWeekday: number): Day[][] {
  const first = `${day.slice(0, 8)}01`;
  const start = addDays(first, -getWeekPosition(first, firstWeekday));
  const after = addMonths(first, 1);
  const weeks: Day[][] = [];
  for (let monday = start; monday < after; monday = addDays(monday, WEEK))
    weeks.push(Array.from({ length: WEEK }, (_, index) => addDays(monday, index)));
  return weeks;
}

/** Returns a range with its days in order. */
export const sortRange = ({ from, to }: DayRange): DayRange =>
  from !== "" && to !== "" && from > to ? { from: to, to: from } : { from, to };

/** Returns whether a day is within a range that has both ends. */
export const isWithin = (day: Day, { from, to }: DayRange): boolean =>
  from !== "" && to !== "" && from <= day && day <= to;
