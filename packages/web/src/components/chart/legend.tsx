import styles from "./chart.module.css";
import type { ChartData } from "./chart-data.ts";
import { seriesClass } from "./series-class.ts";

/** The names of the series in the order in which they are drawn, with their totals, and the limit. */
export function Legend({ chart }: { chart: ChartData }) {
  const { series, limit, format } = chart;
  return (
    <ul className={`small ${styles.legend}`}>
      {series.map(({ id, name, total }, index) => (
        <li key={id}>
          <i className={`${styles.swatch} ${seriesClass(chart, index)}`} aria-hidden="true" />
          <span className="user-text">{name}</span>
          {total === undefined ? null : <span className="faint num">{total}</span>}
        </li>
      ))}
      {limit ? (
        <li>
          <i className={styles.dash} aria-hidden="true" />
          <span className="num">
            {limit.name}: {format(limit.value)}
          </span>
        </li>
      ) : null}
    </ul>
  );
}
