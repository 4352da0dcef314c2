import * as format from "@feather/sdk/format";
import { SECOND_MS } from "../time.ts";

/** Returns how long ago a date is: `just now`, `5 minutes ago`, `3 days ago`; `20 Dec 2026` from 30 days on. */
export function formatAgo(date: Date, now: Date): string {
  return format.formatRelativeTime(date, now) ?? formatDay(date);
}

/** Returns a date in UTC: `20 Dec 2026`. */
export const formatDay = (date: Date): string => format.formatDay(date, "UTC");

/** Returns a weekday and date in UTC: `Sat 14 Nov`. */
export const formatWeekday = (date: Date): string => format.formatWeekday(date, "UTC");

/** Returns a date and time: `20 Dec 2026, 14:01 UTC`. */
export const formatDayTime = (date: Date): string => format.formatMinute(date, "UTC");

/** Returns the local time: `14:01:02`. */
export const formatClock = (date: Date): string => format.formatClock(date, undefined);

/** Returns an exact duration: `45 s`, `3 min 35 s`, `2 h 5 min`. Takes milliseconds. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / SECOND_MS));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns a time for programs in RFC 3339; empty for null. */
export function formatRfc3339(date: Date | null): string {
  return date === null ? "" : date.toISOString();
}
