import { t } from "@lingui/core/macro";
import type { Bucket } from "./queries.ts";

/** The periods that can be chosen. */
export const PERIODS = [
  { hours: 1, label: t`Last hour`, ago: t`1 h ago` },
  { hours: 24, label: t`Last 24 hours`, ago: t`24 h ago` },
  { hours: 168, label: t`Last 7 days`, ago: t`7 days ago` },
  { hours: 720, label: t`Last 30 days`, ago: t`30 days ago` },
] as const;

/** Metrics of one bucket; `at` is in seconds since 1970, times are milliseconds, speed is tokens per second. */
export type Point = { at: number; requests: number; errors: number; firstToken: number | null; speed: number | null };

/** Bucket sizes that the server chooses from, in seconds. */
const STEPS = [60, 300, 900, 3_600, 21_600, 86_400];
const MOST_BUCKETS = 300;

/** Returns the server's bucket size for a period, in seconds. */
export function stepOf(start: number, end: number): number {
  return STEPS.find((step) => (end - start) / step <= MOST_BUCKETS) ?? 86_400;
}

/** Returns one point per bucket from start to end (seconds), with zeros for buckets without requests. */
export function pointsOf({ items, start, end }: { items: readonly Bucket[]; start: number; end: number }): Point[] {
  const step = stepOf(start, end);
  const byTime = new Map(items.map((item) => [Math.floor(item.bucket_at.getTime() / 1000 / step) * step, item]));
  const points: Point[] = [];
  for (let at = Math.floor(start / step) * step; at < end; at += step) {
    const item = byTime.get(at);
    points.push({
      at,
      requests: item?.requests ?? 0,
      errors: item?.errors ?? 0,
      firstToken: item?.p50_ttft_ms ?? null,
      speed: item?.tokens_per_s ?? null,
    });
  }
  return points;
}

/** Metrics of a whole period. */
export type Totals = { requests: number; errors: number; firstToken: number | null; speed: number | null };

/** Sums up a period. Averages are weighted by requests. */
export function totalsOf(points: readonly Point[]): Totals {
  const weighed = (name: "firstToken" | "speed") => {
    const known = points.filter((point) => point[name] !== null);
    const requests = known.reduce((sum, point) => sum + point.requests, 0);
    return requests === 0
      ? null
      : known.reduce((sum, point) => sum + (point[name] ?? 0) * point.requests, 0) / requests;
  };
  return {
    requests: points.reduce((sum, point) => sum + point.requests, 0),
    errors: points.reduce((sum, point) => sum + point.errors, 0),
    firstToken: weighed("firstToken"),
    speed: weighed("speed"),
  };
}

/** Returns metrics as CSV (RFC 4180) with a header line. */
export function pointsAsCsv(points: readonly Point[]): string {
  const rows = points.map(({ at, requests, errors, firstToken, speed }) => [
    new Date(at * 1000).toISOString(),
    requests,
    errors,
    firstToken ?? "",
    speed ?? "",
  ]);
  return [["bucket_at", "requests", "errors", "p50_ttft_ms", "tokens_per_s"], ...rows]
    .map((row) => `${row.join(",")}\r\n`)
    .join("");
}

/**
 * Returns the lines of a chart of `width` by `height`, with values from 0 to `top`. A missing value starts a new line.
 */
export function pathsOf(
  values: readonly (number | null)[],
  { width, height, top }: { width: number; height: number; top: number },
): { x: number; y: number }[][] {
  const across = Math.max(1, values.length - 1);
  const lines: { x: number; y: number }[][] = [];
  let open = false;
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      if (!open) lines.push([]);
      lines.at(-1)?.push({ x: (index / across) * width, y: height - (Math.min(value, top) / top) * height });
    }
    open = value !== null;
  }
  return lines;
}

/** Returns a round number that no value exceeds. */
export function roundTop(values: readonly (number | null)[]): number {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10) * power;
}
