const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** How long ago, for people: `just now`, `5 minutes ago`, `3 days ago`; `20 Dec 2026` beyond 30 days and in the future. */
export function ago(date: Date, now: Date): string {
  const past = now.getTime() - date.getTime();
  if (past < 0 || past >= 30 * DAY) return day(date);
  if (past < MINUTE) return "just now";
  if (past < HOUR) return `${unit(past / MINUTE, "minute")} ago`;
  if (past < DAY) return `${unit(past / HOUR, "hour")} ago`;
  return `${unit(past / DAY, "day")} ago`;
}

/** `20 Dec 2026`. */
export function day(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** How long, roughly: `40 s`, `3 min`. Takes milliseconds. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / SECOND));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** A moment for programs, in RFC 3339; empty when there is none. */
export function rfc3339(date: Date | null): string {
  return date === null ? "" : date.toISOString();
}

function unit(amount: number, name: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${name}${whole === 1 ? "" : "s"}`;
}
