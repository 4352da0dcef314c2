const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The reported time, in whole buckets: the current hour or day (UTC) and those before it. */
export type Window = { readonly start: Date; readonly end: Date; readonly step: number };

/** The length of a bucket. */
export type Slice = "hour" | "day";
/** Lengths of buckets, in milliseconds. */
export const STEPS: Readonly<Record<Slice, number>> = { hour: HOUR, day: DAY };

/** Returns the window of the last `durationMs` milliseconds, extended to whole buckets. */
export function windowOf(last: number, slice: Slice, now: Date): Window {
  const step = STEPS[slice];
  const began = Math.floor(now.getTime() / step) * step;
  const slices = Math.max(1, Math.ceil(last / step));
  return { start: new Date(began - (slices - 1) * step), end: now, step };
}

/** Returns the window as query parameters, in seconds since 1970. */
export const queryOf = ({ start, end }: Window) => ({
  start: Math.floor(start.getTime() / 1000),
  end: Math.ceil(end.getTime() / 1000),
});

/** Returns the start of each bucket, earliest first. */
export function slicesOf({ start, end, step }: Window): readonly Date[] {
  const count = Math.floor((end.getTime() - start.getTime()) / step) + 1;
  return Array.from({ length: count }, (_, index) => new Date(start.getTime() + index * step));
}

/** Returns the length of a window: `7 days`, `24 hours`. */
export function windowText(window: Window): string {
  const { length } = slicesOf(window);
  return `${length} ${window.step === DAY ? "day" : "hour"}${length === 1 ? "" : "s"}`;
}
