import { asCsv } from "#/lib/csv.ts";

/** What is drawn in one colour, with its sum where there is one. */
export type ChartSeries = { id: string; name: string; total?: string };
/** A slice of time with what each series has in it, and further figures for the table. */
export type ChartSlice = { at: string; values: readonly number[]; more: readonly number[] };
/** Figures over time, to be drawn, read as a table and saved as a file. */
export type Chart = {
  series: readonly ChartSeries[];
  /** Further columns of the table. */
  more: readonly string[];
  slices: readonly ChartSlice[];
  /** How a value of a series reads. */
  format(value: number): string;
  /** In what values are counted, for files. */
  unit?: string;
  /** A line that values are seen against. */
  limit?: { value: number; name: string };
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The highest slice, all series on top of one another. */
export const highest = ({ slices }: Chart): number => Math.max(0, ...slices.map(({ values }) => sumOf(values)));

/** Slices in which there is anything at all, the latest first. */
export const told = ({ slices }: Chart): ChartSlice[] =>
  slices.filter(({ values, more }) => sumOf(values) + sumOf(more) > 0).toReversed();

/** The table of a chart for spreadsheets, every slice from the oldest on. */
export function chartAsCsv({ series, more, slices, unit, limit }: Chart): string {
  const names = series.map(({ name }) => (unit === undefined ? name : `${name} (${unit})`));
  return asCsv(
    ["time", ...names, ...more, ...(limit ? [limit.name] : [])],
    slices.map((slice) => [slice.at, ...slice.values, ...slice.more, ...(limit ? [limit.value] : [])]),
  );
}
