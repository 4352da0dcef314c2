import type { DeploymentMetricsBucket } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ChartData } from "#/components/chart/chart-data.ts";
import { toCsv } from "#/lib/csv.ts";
import { formatCount } from "#/lib/format.ts";

/** The periods that can be chosen. */
export const PERIODS = [
  { hours: 1, label: t`Last hour`, noCalls: t`No calls in the last hour.` },
  { hours: 24, label: t`Last 24 hours`, noCalls: t`No calls in the last 24 hours.` },
  { hours: 168, label: t`Last 7 days`, noCalls: t`No calls in the last 7 days.` },
  { hours: 720, label: t`Last 30 days`, noCalls: t`No calls in the last 30 days.` },
] as const;

/** Metrics of one bucket; `at` is in seconds since 1970, times are milliseconds, speed is tokens per second. */
export type MetricPoint = {
  at: number;
  requests: number;
  errors: number;
  firstTokenMs: number | null;
  tokensPerSecond: number | null;
};

/** Bucket sizes that the server chooses from, in seconds. */
const BUCKET_SECONDS = [60, 300, 900, 3_600, 21_600, 86_400];
const MAX_BUCKETS = 300;

/** Returns the server's bucket size for a period, in seconds. */
export function bucketSeconds(start: number, end: number): number {
  return BUCKET_SECONDS.find((step) => (end - start) / step <= MAX_BUCKETS) ?? 86_400;
}

/** Returns one point per bucket from start to end (seconds), with zeros for buckets without requests. */
export function fillPoints({
  items,
  start,
  end,
}: {
  items: readonly DeploymentMetricsBucket[];
  start: number;
  end: number;
}): MetricPoint[] {
  const step = bucketSeconds(start, end);
  const byTime = new Map(items.map((item) => [Math.floor(item.bucket_at.getTime() / 1000 / step) * step, item]));
  const points: MetricPoint[] = [];
  for (let at = Math.floor(start / step) * step; at < end; at += step) {
    const item = byTime.get(at);
    points.push({
      at,
      requests: item?.requests ?? 0,
      errors: item?.errors ?? 0,
      firstTokenMs: item?.p50_ttft_ms ?? null,
      tokensPerSecond: item?.tokens_per_s ?? null,
    });
  }
  return points;
}

/** Metrics of a whole period. */
export type MetricTotals = {
  requests: number;
  errors: number;
  firstTokenMs: number | null;
  tokensPerSecond: number | null;
};

/** Sums up a period. Averages are weighted by requests. */
export function sumTotals(points: readonly MetricPoint[]): MetricTotals {
  const weightedAverage = (name: "firstTokenMs" | "tokensPerSecond") => {
    const measured = points.filter((point) => point[name] !== null);
    const requests = measured.reduce((sum, point) => sum + point.requests, 0);
    return requests === 0
      ? null
      : measured.reduce((sum, point) => sum + (point[name] ?? 0) * point.requests, 0) / requests;
  };
  return {
    requests: points.reduce((sum, point) => sum + point.requests, 0),
    errors: points.reduce((sum, point) => sum + point.errors, 0),
    firstTokenMs: weightedAverage("firstTokenMs"),
    tokensPerSecond: weightedAverage("tokensPerSecond"),
  };
}

/** Returns metrics as CSV (RFC 4180) with a header line. */
export function toMetricsCsv(points: readonly MetricPoint[]): string {
  return toCsv(
    ["bucket_at", "requests", "errors", "p50_ttft_ms", "tokens_per_s"],
    points.map(({ at, requests, errors, firstTokenMs, tokensPerSecond }) => [
      new Date(at * 1000),
      requests,
      errors,
      firstTokenMs,
      tokensPerSecond,
    ]),
  );
}

/** Returns the time of a point as charts name it. */
export const toSlice = ({ at }: MetricPoint): { at: string } => ({ at: new Date(at * 1000).toISOString() });

type Formats = { formatMilliseconds(value: number): string; formatPerSecond(value: number): string };

/** Returns the charts of a deployment: requests with failed ones, time to the first token, and speed. */
export function createMetricsCharts(
  points: readonly MetricPoint[],
  { formatMilliseconds, formatPerSecond }: Formats,
): { title: string; chart: ChartData }[] {
  const hasErrors = points.some(({ errors }) => errors > 0);
  const createChart = (
    series: ChartData["series"],
    valuesOf: (point: MetricPoint) => (number | null)[],
    format: (value: number) => string,
  ): ChartData => ({
    kind: "lines",
    series,
    more: [],
    slices: points.map((point) => ({ ...toSlice(point), values: valuesOf(point), more: [] })),
    format,
  });
  const requests = { id: "requests", name: t`Requests` };
  const failed = { id: "failed", name: t`Failed`, tone: "bad" } as const;
  return [
    {
      title: hasErrors ? t`Requests; failed ones dashed` : t`Requests`,
      chart: {
        ...createChart(
          hasErrors ? [requests, failed] : [requests],
          (point) => (hasErrors ? [point.requests, point.errors] : [point.requests]),
          formatCount,
        ),
        isCount: true,
      },
    },
    {
      title: t`First token, median`,
      chart: createChart(
        [{ id: "first-token", name: t`First token` }],
        (point) => [point.firstTokenMs],
        formatMilliseconds,
      ),
    },
    {
      title: t`Tokens per second`,
      chart: createChart([{ id: "speed", name: t`Speed` }], (point) => [point.tokensPerSecond], formatPerSecond),
    },
  ];
}
