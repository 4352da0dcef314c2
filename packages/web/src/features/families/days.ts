import { dateFormat } from "#/lib/format.ts";
export type Day = { date: string; model_count: number };

/** Whether a text is a day of the calendar, as `2025-04-29`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The days of release before and after one, which need not be one itself. `days` begins with the newest. */
export function neighbours(days: readonly Day[], date: string): { earlier: Day | undefined; later: Day | undefined } {
  return {
    earlier: days.find((day) => day.date < date),
    later: days.findLast((day) => day.date > date),
  };
}

/** 29 April 2025. */
export const dayInWords = (date: string): string =>
  dateFormat({ dateStyle: "long", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));
