import { t } from "@lingui/core/macro";
import { createDateFormat, formatClock } from "#/lib/format.ts";
import type { ChartSlice } from "./chart-data.ts";

const MONTH_LENGTH = "2026-11".length;
const DAY_LENGTH = "2026-11-21".length;

/** Returns whether a slice is a whole month, which is counted in UTC. */
export const isMonthSlice = ({ at }: Pick<ChartSlice, "at">): boolean => at.length === MONTH_LENGTH;

/** Returns whether a slice is a whole day, which is counted in UTC. */
export const isDaySlice = ({ at }: Pick<ChartSlice, "at">): boolean => at.length === DAY_LENGTH;

const utcMonthFormat = createDateFormat({ month: "short", year: "numeric", timeZone: "UTC" });
const utcDayFormat = createDateFormat({ day: "numeric", month: "short", timeZone: "UTC" });
const dayFormat = createDateFormat({ day: "numeric", month: "short" });
const hourFormat = createDateFormat({ hour: "2-digit", minute: "2-digit" });
const momentFormat = createDateFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/**
 * Returns the time of a slice: "Nov 2026" for a month and "21 Nov" for a day in UTC, in the reader's time zone "21 Nov, 15:00", or "15:00:10" where it
 * does not begin with a minute.
 */
export function formatSliceTime(slice: Pick<ChartSlice, "at">): string {
  const time = new Date(slice.at);
  if (isMonthSlice(slice)) return utcMonthFormat.format(time);
  if (isDaySlice(slice)) return utcDayFormat.format(time);
  return time.getSeconds() === 0 ? momentFormat.format(time) : formatClock(time);
}

/** Returns the label of a mark of the time axis: a time, or the day where a day begins. */
export function formatTimeTick(time: Date, isDay: boolean): string {
  if (isDay) return utcDayFormat.format(time);
  const isMidnight = time.getHours() === 0 && time.getMinutes() === 0;
  if (time.getSeconds() !== 0) return formatClock(time);
  return (isMidnight ? dayFormat : hourFormat).format(time);
}

/** Says in which time zone a chart's times are. */
export function describeTimeZone(slice: Pick<ChartSlice, "at">): string {
  if (isMonthSlice(slice)) return t`Months are in UTC`;
  if (isDaySlice(slice)) return t`Days are in UTC`;
  return t`Times are in ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
}
