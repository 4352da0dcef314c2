import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Returns how long ago a date is: `just now`, `5 minutes ago`, `3 days ago`; `20 Dec 2026` beyond 30 days and in the future. */
export function formatAgo(date: Date, now: Date): string {
  const past = now.getTime() - date.getTime();
  if (past < 0 || past >= 30 * DAY_MS) return formatDay(date);
  if (past < MINUTE_MS) return "just now";
  if (past < HOUR_MS) return `${pluralize(past / MINUTE_MS, "minute")} ago`;
  if (past < DAY_MS) return `${pluralize(past / HOUR_MS, "hour")} ago`;
  return `${pluralize(past / DAY_MS, "day")} ago`;
}

/** Returns a date in UTC: `20 Dec 2026`. */
export function formatDay(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Returns a weekday and date in UTC: `Sat 14 Nov`. */
export function formatWeekday(date: Date): string {
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** Returns a date and time: `20 Dec 2026, 14:01 UTC`. */
export function formatDayTime(date: Date): string {
  return `${formatDay(date)}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** Returns the local time: `14:01:02`. */
export function formatClock(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

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

function pluralize(amount: number, name: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${name}${whole === 1 ? "" : "s"}`;
}
