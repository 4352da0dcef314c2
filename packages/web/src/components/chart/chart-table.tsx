import { t } from "@lingui/core/macro";
import { formatCount } from "#/lib/format.ts";
import styles from "./chart.module.css";
import { type ChartData, listNonEmptySlices } from "./chart-data.ts";
import { formatSliceTime } from "./slice-time.ts";

/** The figures of a chart as a table, latest first, without empty slices. */
export function ChartTable({ chart, label }: { chart: ChartData; label: string }) {
  const { series, more, format } = chart;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section className={styles.scrolled} tabIndex={0} aria-label={t`Figures: ${label}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Time`}</th>
            {series.map(({ id, name }) => (
              <th key={id} scope="col" className="n stranger">
                {name}
              </th>
            ))}
            {more.map((name) => (
              <th key={name} scope="col" className="n">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listNonEmptySlices(chart).map((slice) => (
            <tr key={slice.at}>
              <td className="num whitespace-nowrap">{formatSliceTime(slice)}</td>
              {series.map(({ id }, index) => (
                <td key={id} className="n">
                  {slice.values[index] ? format(slice.values[index]) : "–"}
                </td>
              ))}
              {more.map((name, index) => (
                <td key={name} className="n">
                  {slice.more[index] ? formatCount(slice.more[index]) : "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
