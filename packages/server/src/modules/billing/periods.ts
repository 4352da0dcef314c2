export type Interval = "month" | "year";
export type Period = { start: Date; end: Date };

const HOUR_MS = 3_600_000;

/**
 * `count` intervals after the anchor, in UTC. Counted from the anchor each time, so that a month that is too short does
 * not shorten those after it: 31 January, 28 February, 31 March.
 */
export function addIntervals(anchor: Date, interval: Interval, count: number): Date {
  const months = interval === "year" ? count * 12 : count;
  const moved = new Date(anchor);
  moved.setUTCDate(1);
  moved.setUTCMonth(anchor.getUTCMonth() + months);
  moved.setUTCDate(Math.min(anchor.getUTCDate(), daysInMonth(moved)));
  return moved;
}

/** The period with this index; the first one, 0, begins at the anchor. */
export function periodAt(anchor: Date, interval: Interval, index: number): Period {
  return { start: addIntervals(anchor, interval, index), end: addIntervals(anchor, interval, index + 1) };
}

/** `amount * part / whole`, rounded half up; exact however large. */
export function share(amount: number, part: number, whole: number): number {
  if (whole <= 0) return 0;
  const product = BigInt(amount) * BigInt(part);
  const divisor = BigInt(whole);
  return Number((2n * product + divisor) / (2n * divisor));
}

/** Hours that have begun, so that what is bought within the first hour of a period is bought for all of it. */
export function hoursBetween(from: Date, to: Date): number {
  return Math.max(0, Math.ceil((to.getTime() - from.getTime()) / HOUR_MS));
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}
