import { formatIsoDay } from "@feather/sdk/format";
import { DAY_MS, HOUR_MS } from "../../time.ts";

/** The reported time, in whole buckets: the current hour or day (UTC) and those before it. */
export type Window = { readonly start: Date; readonly end: Date; readonly stepMs: number };

/** The length of a bucket. */
export type Bucket = "hour" | "day";
/** Lengths of buckets, in milliseconds. */
export const BUCKET_MS: Readonly<Record<Bucket, number>> = { hour: HOUR_MS, day: DAY_MS };

/** Returns the window of the last `durationMs` milliseconds, extended to whole buckets. */
export function createWindow(durationMs: number, bucket: Bucket, now: Date): Window {
  const stepMs = BUCKET_MS[bucket];
  const bucketStart = Math.floor(now.getTime() / stepMs) * stepMs;
  const bucketCount = Math.max(1, Math.ceil(durationMs / stepMs));
  return { start: new Date(bucketStart - (bucketCount - 1) * stepMs), end: now, stepMs };
}

/** Returns the window as query parameters, in seconds since 1970. */
export const toQuery = ({ start, end }: Window) => ({
  start: Math.floor(start.getTime() / 1000),
  end: Math.ceil(end.getTime() / 1000),
});

/**
 * Returns a sentence about requests that the server has removed, of a time that begins at `start`; null when all of its
 * requests are there.
 */
export function describeRemoved(start: Date, keptSince: Date | null | undefined): string | null {
  if (!keptSince || start >= keptSince) return null;
  return `The server has removed requests from before ${formatIsoDay(keptSince)}. Sums of days, hours, models and results are whole.`;
}

/** Returns the start of each bucket, earliest first. */
export function listBuckets({ start, end, stepMs }: Window): readonly Date[] {
  const count = Math.floor((end.getTime() - start.getTime()) / stepMs) + 1;
  return Array.from({ length: count }, (_, index) => new Date(start.getTime() + index * stepMs));
}

/** Returns the length of a window: `7 days`, `24 hours`. */
export function formatWindow(window: Window): string {
  const { length } = listBuckets(window);
  return `${length} ${window.stepMs === DAY_MS ? "day" : "hour"}${length === 1 ? "" : "s"}`;
}
