const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Returns how long ago a date is: `just now`, `5 minutes ago`, `3 days ago`; `20 Dec 2026` beyond 30 days and in the future. */
export function ago(date: Date, now: Date): string {
  const past = now.getTime() - date.getTime();
  if (past < 0 || past >= 30 * DAY) return day(date);
  if (past < MINUTE) return "just now";
  if (past < HOUR) return `${unit(past / MINUTE, "minute")} ago`;
  if (past < DAY) return `${unit(past / HOUR, "hour")} ago`;
  return `${unit(past / DAY, "day")} ago`;
}

/** Returns a date in UTC: `20 Dec 2026`. */
export function day(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Returns a rounded duration: `40 s`, `3 min`. Takes milliseconds. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / SECOND));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Returns a weekday and date in UTC: `Sat 14 Nov`. */
export function weekday(date: Date): string {
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

/** Returns a date and time: `20 Dec 2026, 14:01 UTC`. */
export function dayTime(date: Date): string {
  return `${day(date)}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** Returns the local time: `14:01:02`. */
export function clock(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Returns an exact duration: `45 s`, `3 min 35 s`, `2 h 5 min`. Takes milliseconds. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / SECOND));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns a time for programs in RFC 3339; empty for null. */
export function rfc3339(date: Date | null): string {
  return date === null ? "" : date.toISOString();
}

function unit(amount: number, name: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${name}${whole === 1 ? "" : "s"}`;
}
