const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The time that is reported on, in whole slices: this hour or day (UTC) and those before it. */
export type Window = { readonly start: Date; readonly end: Date; readonly step: number };

export type Slice = "hour" | "day";
export const STEPS: Readonly<Record<Slice, number>> = { hour: HOUR, day: DAY };

export function windowOf(last: number, slice: Slice, now: Date): Window {
  const step = STEPS[slice];
  const began = Math.floor(now.getTime() / step) * step;
  const slices = Math.max(1, Math.ceil(last / step));
  return { start: new Date(began - (slices - 1) * step), end: now, step };
}

/** The window as calls take it, in seconds since 1970. */
export const queryOf = ({ start, end }: Window) => ({
  start: Math.floor(start.getTime() / 1000),
  end: Math.ceil(end.getTime() / 1000),
});

/** When each slice begins, the earliest first. */
export function slicesOf({ start, end, step }: Window): readonly Date[] {
  const count = Math.floor((end.getTime() - start.getTime()) / step) + 1;
  return Array.from({ length: count }, (_, index) => new Date(start.getTime() + index * step));
}

/** `7 days`, `24 hours`. */
export function windowText(window: Window): string {
  const { length } = slicesOf(window);
  return `${length} ${window.step === DAY ? "day" : "hour"}${length === 1 ? "" : "s"}`;
}
