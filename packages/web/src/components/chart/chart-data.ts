import { toCsv } from "#/lib/csv.ts";

/** A series of a chart, with its total where there is one. `bad` draws it in the colour of failures. */
export type ChartSeries = { id: string; name: string; total?: string; tone?: "bad" };
/**
 * The value of each series in a time slice, and further figures for the table. `at` is a UTC month (`2026-11`), a UTC day (`2026-11-21`) or the
 * moment at which the slice begins (`2026-11-21T14:00:00Z`). Null means that nothing was measured, unlike zero.
 */
export type ChartSlice = { at: string; values: readonly (number | null)[]; more: readonly (number | null)[] };
/** Figures over time in slices of equal length, or months, to be shown as chart and table and exported as CSV. */
export type ChartData = {
  /** Bars are stacked; lines begin at zero and break where nothing was measured. */
  kind: "bars" | "lines";
  series: readonly ChartSeries[];
  /** Further columns of the table. */
  more: readonly string[];
  slices: readonly ChartSlice[];
  /** Formats a value of a series, with its unit. */
  format(value: number): string;
  /** Formats a round value of the axis; by default like any value. */
  formatTick?(value: number): string;
  /** Whether values are whole numbers, so that the axis is marked at whole numbers only. */
  isCount?: boolean;
  /** The unit of the values in exports. */
  unit?: string;
  /** A line that marks a limit. */
  limit?: { value: number; name: string };
};

/** Returns the sum of values; those that were not measured count as zero. */
export const sumValues = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** Returns the largest value that the chart has to reach: of a stack of bars, or of a line. */
export const getMaxValue = ({ kind, slices }: ChartData): number =>
  Math.max(0, ...slices.map(({ values }) => (kind === "bars" ? sumValues(values) : maxOf(values))));

const maxOf = (values: readonly (number | null)[]): number => Math.max(0, ...values.map((value) => value ?? 0));

/** Returns the slices that are not empty, latest first. */
export const listNonEmptySlices = ({ slices }: ChartData): ChartSlice[] =>
  slices.filter(({ values, more }) => sumValues(values) + sumValues(more) > 0).toReversed();

/** Returns a chart as CSV, with every slice, oldest first. */
export function toChartCsv({ series, more, slices, unit, limit }: ChartData): string {
  const names = series.map(({ name }) => (unit === undefined ? name : `${name} (${unit})`));
  return toCsv(
    ["time", ...names, ...more, ...(limit ? [limit.name] : [])],
    slices.map((slice) => [slice.at, ...slice.values, ...slice.more, ...(limit ? [limit.value] : [])]),
  );
}
