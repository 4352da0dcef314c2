import { addDays, clampDay, type Day, type DayRange, isDay, sortRange } from "#/components/ui/date-range/days.ts";
import { DAY_MS, HOUR_MS } from "#/lib/time.ts";

/** Whole days in UTC, both included. */
export type Period = DayRange;

const DEFAULT_DAYS = 30;
/** The most days of a period: a report of the server has a row for each of them and each key. */
const MAX_DAYS = 366;

/** Returns the period of this many days that ends today. */
export const toPeriod = (days: number, today: Day): Period => ({ from: addDays(today, 1 - days), to: today });

/** Returns the period in the address; days that are missing, wrong, in the future or too long ago get the nearest value. */
export function readPeriod(params: URLSearchParams, today: Day): Period {
  const read = (name: string) => {
    const day = params.get(name) ?? "";
    return isDay(day) ? day : null;
  };
  const last = read("to") ?? today;
  const { from, to } = sortRange({ from: read("from") ?? addDays(last, 1 - DEFAULT_DAYS), to: last });
  const end = to > today ? today : to;
  return { from: clampDay(from, addDays(end, 1 - MAX_DAYS), end), to: end };
}

/** Whether a period is shown by hour instead of by day. */
export const isHourly = ({ from, to }: Period): boolean => from === to;

/** Returns a period in seconds since 1970: its start, and its end, which is not included. */
export const toTimeRange = ({ from, to }: Period): { start: number; end: number } => ({
  start: Date.parse(from) / 1000,
  end: (Date.parse(to) + DAY_MS) / 1000,
});

/** Returns the names of the slices of a period: days or hours in UTC. */
export function listSliceNames(period: Period): string[] {
  const { start, end } = toTimeRange(period);
  const length = isHourly(period) ? HOUR_MS : DAY_MS;
  return Array.from({ length: ((end - start) * 1000) / length }, (_, index) =>
    toSliceName(new Date(start * 1000 + index * length), period),
  );
}

/** Returns the name of the slice that contains a moment, as reports name it. */
export function toSliceName(moment: Date, period: Period): string {
  const at = moment.toISOString();
  return isHourly(period) ? `${at.slice(0, 13)}:00:00Z` : at.slice(0, 10);
}
