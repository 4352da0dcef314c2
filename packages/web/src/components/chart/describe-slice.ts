import { formatCount } from "#/lib/format.ts";
import type { ChartData } from "./chart-data.ts";
import { formatSliceTime } from "./slice-time.ts";

/** Returns a value as text; a dash where nothing was measured. */
export const formatValue = (value: number | null | undefined, format: (value: number) => string): string =>
  value == null ? "–" : format(value);

/** One line of what a slice says. */
export type SliceFigure = { id: string; name: string; value: string; series?: number };

/** Returns the figures of a slice: of every series, and those further ones that are not zero. */
export function listSliceFigures({ series, more, slices, format }: ChartData, index: number): SliceFigure[] {
  const slice = slices[index];
  if (!slice) return [];
  return [
    ...series.map(({ id, name }, position) => ({
      id,
      name,
      series: position,
      value: formatValue(slice.values[position], format),
    })),
    ...more.flatMap((name, position) =>
      slice.more[position] ? [{ id: `more ${name}`, name, value: formatValue(slice.more[position], formatCount) }] : [],
    ),
  ];
}

/** Returns a slice in words: "21 Nov: production 1,200, ci 30". */
export function describeSlice(chart: ChartData, index: number): string {
  const slice = chart.slices[index];
  if (!slice) return "";
  const figures = listSliceFigures(chart, index).map(({ name, value }) => `${name} ${value}`);
  return `${formatSliceTime(slice)}: ${figures.join(", ")}`;
}
