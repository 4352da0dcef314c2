import type { OperationsPoint } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ChartData, ChartSeries, ChartSlice } from "#/components/chart/chart-data.ts";
import { formatCount } from "#/lib/format.ts";
import { formatMilliseconds, formatRate } from "./format.ts";

/** With more points than this, a chart would be too dense to tell them apart. */
const MAX_SLICES = 60;

/** A chart of the page, with the text that replaces it while there are no measurements. */
export type OperationsChart = { id: string; title: string; emptyText: string; chart: ChartData };

type Values = (points: readonly OperationsPoint[]) => (number | null)[];

/** Returns the charts of the last hour. */
export function createCharts(points: readonly OperationsPoint[]): OperationsChart[] {
  const groups = groupPoints(points);
  const toChart = (series: readonly ChartSeries[], values: Values, format: (value: number) => string): ChartData => ({
    kind: "lines",
    series,
    more: [],
    format,
    slices: groups.map((group) => toSlice(group, values)),
  });
  return [
    {
      id: "requests",
      title: t`Requests per second`,
      emptyText: t`No requests in this time.`,
      chart: toChart(
        [
          { id: "all", name: t`All` },
          { id: "refused", name: t`Refused (4xx)` },
          { id: "failed", name: t`Failed (5xx)`, tone: "bad" },
        ],
        (group) => [
          average(group, ({ requests_per_second }) => requests_per_second),
          average(group, ({ refused_per_second }) => refused_per_second),
          average(group, ({ failed_per_second }) => failed_per_second),
        ],
        formatRate,
      ),
    },
    {
      id: "first-token",
      title: t`Time to the first token`,
      emptyText: t`No streamed calls in this time.`,
      chart: toChart(
        [
          { id: "p50", name: t`Half of the calls` },
          { id: "p95", name: t`95 % of the calls` },
        ],
        (group) => [
          max(group, ({ first_token_p50_ms }) => first_token_p50_ms),
          max(group, ({ first_token_p95_ms }) => first_token_p95_ms),
        ],
        formatMilliseconds,
      ),
    },
    {
      id: "units",
      title: t`Units and calls`,
      emptyText: t`No calls in this time.`,
      chart: {
        ...toChart(
          [
            { id: "units", name: t`Units in use` },
            { id: "calls", name: t`Running calls` },
            { id: "waiting", name: t`Waiting calls`, tone: "bad" },
          ],
          (group) => [
            max(group, ({ units }) => units),
            max(group, ({ running_calls }) => running_calls),
            max(group, ({ waiting_calls }) => waiting_calls),
          ],
          formatCount,
        ),
        isCount: true,
      },
    },
    {
      id: "tokens",
      title: t`Generated tokens per second`,
      emptyText: t`No calls in this time.`,
      chart: toChart(
        [{ id: "tokens", name: t`Tokens` }],
        (group) => [average(group, ({ tokens_per_second }) => tokens_per_second)],
        formatRate,
      ),
    },
    {
      id: "event-loop",
      title: t`Delay of the event loop`,
      emptyText: t`Nothing was measured yet.`,
      chart: toChart(
        [{ id: "delay", name: t`99 % of the time at most` }],
        (group) => [max(group, ({ loop_delay_ms }) => loop_delay_ms)],
        formatMilliseconds,
      ),
    },
    {
      id: "queries",
      title: t`Database queries`,
      emptyText: t`No queries in this time.`,
      chart: toChart(
        [{ id: "p95", name: t`95 % of the queries at most` }],
        (group) => [max(group, ({ query_p95_ms }) => query_p95_ms)],
        formatMilliseconds,
      ),
    },
  ];
}

/** Puts neighbouring points together, so that there are at most `MAX_SLICES` groups. */
export function groupPoints(points: readonly OperationsPoint[]): OperationsPoint[][] {
  const size = Math.max(1, Math.ceil(points.length / MAX_SLICES));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size),
  );
}

function toSlice(group: readonly OperationsPoint[], values: Values): ChartSlice {
  return { at: new Date(group[0]?.at ?? 0).toISOString(), values: values(group), more: [] };
}

function average(group: readonly OperationsPoint[], read: (point: OperationsPoint) => number): number {
  return group.reduce((sum, point) => sum + read(point), 0) / group.length;
}

/** Of peaks the highest is shown; null where none of the points has a value. */
function max(group: readonly OperationsPoint[], read: (point: OperationsPoint) => number | null): number | null {
  const values = group.map(read).filter((value) => value !== null);
  return values.length === 0 ? null : Math.max(...values);
}
