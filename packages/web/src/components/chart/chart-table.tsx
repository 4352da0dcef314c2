import { formatCount } from "#/lib/format.ts";
import { type ChartData, listNonEmptySlices } from "./chart-data.ts";
import { FiguresTable } from "./figures-table.tsx";

/** The figures of a chart as a table, latest first, without empty slices. */
export function ChartTable({ chart, label }: { chart: ChartData; label: string }) {
  const { series, more, format } = chart;
  return (
    <FiguresTable
      label={label}
      columns={[
        ...series.map(({ id, name }) => ({ id, name, format })),
        ...more.map((name) => ({ id: name, name, format: formatCount })),
      ]}
      rows={listNonEmptySlices(chart).map(({ at, values, more: further }) => ({
        at,
        // With many series, zeros would hide the few figures.
        values: [...values, ...further].map((value) => value || null),
      }))}
    />
  );
}
