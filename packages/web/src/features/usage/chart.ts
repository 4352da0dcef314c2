import { toCsv } from "#/lib/csv.ts";

/** A series of a chart, with its total where there is one. */
export type ChartSeries = { id: string; name: string; total?: string };
/** A time slice with the value of each series, and further figures for the table. */
export type ChartSlice = { at: string; values: readonly number[]; more: readonly number[] };
/** Figures over time, to be shown as chart and table and exported as CSV. */
export type Chart = {
  series: readonly ChartSeries[];
  /** Further columns of the table. */
  more: readonly string[];
  slices: readonly ChartSlice[];
  /** Formats a value of a series. */
  format(value: number): string;
  /** The unit of the values in exports. */
  unit?: string;
  /** A line that marks a limit. */
  limit?: { value: number; name: string };
};

const sum = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Returns the largest sum of a slice. */
export const getMaxValue = ({ slices }: Chart): number => Math.max(0, ...slices.map(({ values }) => sum(values)));

/** Returns the slices that are not empty, latest first. */
export const listNonEmptySlices = ({ slices }: Chart): ChartSlice[] =>
  slices.filter(({ values, more }) => sum(values) + sum(more) > 0).toReversed();

/** Returns a chart as CSV, with every slice, oldest first. */
export function toChartCsv({ series, more, slices, unit, limit }: Chart): string {
  const names = series.map(({ name }) => (unit === undefined ? name : `${name} (${unit})`));
  return toCsv(
    ["time", ...names, ...more, ...(limit ? [limit.name] : [])],
    slices.map((slice) => [slice.at, ...slice.values, ...slice.more, ...(limit ? [limit.value] : [])]),
  );
}
