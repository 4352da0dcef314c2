import type { ActivityReportRow } from "@feather/sdk";
import type { ChartData } from "#/components/chart/chart-data.ts";
import { isHourly, listSliceNames, type Period } from "./period.ts";

/** What tokens and credits are grouped by. */
export type GroupBy = "api_key" | "model" | "outcome";
/** All groupings. */
export const GROUP_BY_OPTIONS: readonly GroupBy[] = ["api_key", "model", "outcome"];
/** Returns the amount of a row that is summed up. */
export type Measure = (item: ActivityReportRow) => number;

/** One series of the chart: its id in the report, or null for all that are not shown separately. */
export type Series = { id: string | null; total: number };
/** An hour or day with the amount of each series, in the order of the series. */
export type Slice = { at: string; amounts: readonly number[]; requests: number; errors: number };
/** Amounts by series and time slice. */
export type Activity = { series: readonly Series[]; slices: readonly Slice[] };

const MAX_SERIES = 3;

/** Returns the tokens of a row, input and output. */
export const countTokens: Measure = (item) => item.input_tokens + item.output_tokens;
/** Returns the cost of a row in nano-USD; exact up to nine million dollars. */
export const getCostNanoUsd: Measure = (item) => Number(item.cost_nano_usd);

/**
 * Returns the three largest series and the sum of the others, for every slice of the period, including those without
 * requests.
 */
export function aggregateActivity(
  items: readonly ActivityReportRow[],
  groupBy: GroupBy,
  period: Period,
  measure: Measure,
): Activity {
  const totals = new Map<string, number>();
  for (const item of items) {
    const id = item.group[groupBy] ?? "";
    totals.set(id, (totals.get(id) ?? 0) + measure(item));
  }
  const ranked = [...totals].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const visible = ranked.length > MAX_SERIES + 1 ? ranked.slice(0, MAX_SERIES) : ranked;
  const rest = ranked.slice(visible.length).reduce((sum, [, total]) => sum + total, 0);
  const series: Series[] = visible.map(([id, total]) => ({ id, total }));
  if (visible.length < ranked.length) series.push({ id: null, total: rest });
  const indexById = new Map(visible.map(([id], index) => [id, index]));
  const slices = new Map(
    listSliceNames(period).map((at) => [at, { at, amounts: series.map(() => 0), requests: 0, errors: 0 }]),
  );
  for (const item of items) {
    const slice = slices.get(getSliceName(item, period));
    if (!slice) continue;
    const index = indexById.get(item.group[groupBy] ?? "") ?? series.length - 1;
    slice.amounts[index] = (slice.amounts[index] ?? 0) + measure(item);
    slice.requests += item.request_count;
    slice.errors += item.error_count;
  }
  return { series, slices: [...slices.values()] };
}

/** Returns the time slice of a row. */
export const getSliceName = (item: ActivityReportRow, period: Period): string =>
  item.group[isHourly(period) ? "hour" : "day"] ?? "";

type ChartLabels = {
  nameOf(id: string | null): string;
  format(value: number): string;
  formatTick?(value: number): string;
  more: [string, string];
};

/** Returns activity as a chart. Requests and failures appear in its table. */
export function createActivityChart(
  { series, slices }: Activity,
  { nameOf, more, ...formats }: ChartLabels,
): ChartData {
  return {
    kind: "bars",
    isCount: true,
    series: series.map(({ id, total }) => ({ id: id ?? "others", name: nameOf(id), total: formats.format(total) })),
    more,
    slices: slices.map(({ at, amounts, requests, errors }) => ({ at, values: amounts, more: [requests, errors] })),
    ...formats,
  };
}
