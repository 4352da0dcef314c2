import { createDateFormat } from "#/lib/format.ts";
/** A day with model releases; `date` as `2025-04-29`. */
export type ReleaseDay = { date: string; model_count: number };

/** Whether a text is a valid date, as `2025-04-29`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Returns the release days before and after a date. `days` starts with the newest. */
export function adjacentDays(
  days: readonly ReleaseDay[],
  date: string,
): { earlier: ReleaseDay | undefined; later: ReleaseDay | undefined } {
  return {
    earlier: days.find((day) => day.date < date),
    later: days.findLast((day) => day.date > date),
  };
}

/** Formats a date, such as `29 April 2025`. */
export const formatLongDay = (date: string): string =>
  createDateFormat({ dateStyle: "long", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));

/** Formats the month of `2025-04` as `April`. */
export const formatMonth = (month: string): string =>
  createDateFormat({ month: "long", timeZone: "UTC" }).format(new Date(`${month}-01T00:00:00Z`));

/** Returns the years with releases, newest first, each with its latest release day. `days` starts with the newest. */
export function listYears(days: readonly ReleaseDay[]): { year: string; latest: string }[] {
  const latest = new Map<string, string>();
  for (const { date } of days) if (!latest.has(date.slice(0, 4))) latest.set(date.slice(0, 4), date);
  return [...latest].map(([year, day]) => ({ year, latest: day }));
}

/** Returns the release days of a year by month, both in chronological order. */
export function groupByMonth(days: readonly ReleaseDay[], year: string): { month: string; days: ReleaseDay[] }[] {
  const months = new Map<string, ReleaseDay[]>();
  for (const day of days.filter(({ date }) => date.startsWith(year)).reverse()) {
    const month = day.date.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), day]);
  }
  return [...months].map(([month, inMonth]) => ({ month, days: inMonth }));
}
