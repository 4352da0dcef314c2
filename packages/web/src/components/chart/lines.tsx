import { area, line } from "d3-shape";
import styles from "./chart.module.css";
import type { ChartData } from "./chart-data.ts";
import type { ChartLayout } from "./layout.ts";
import { seriesClass } from "./series-class.ts";

type Props = { chart: ChartData; layout: ChartLayout };

/** The lines of a chart; they break where nothing was measured. */
export function Lines({ chart, layout }: Props) {
  const { centers, bottom, toY } = layout;
  return chart.series.map(({ id }, index) => {
    const values = chart.slices.map(({ values }) => values[index] ?? null);
    const isMeasured = (value: number | null): value is number => value !== null;
    const x = (_: number | null, slice: number) => centers[slice] ?? 0;
    const y = (value: number | null) => toY(value ?? 0);
    const isAlone = (slice: number) => values[slice - 1] == null && values[slice + 1] == null;
    return (
      <g key={id} className={seriesClass(chart, index)}>
        {index === 0 ? (
          <path
            className={styles.area}
            d={area<number | null>().defined(isMeasured).x(x).y0(bottom).y1(y)(values) ?? undefined}
          />
        ) : null}
        <path
          className={index === 0 ? styles.line : styles.dashed}
          d={line<number | null>().defined(isMeasured).x(x).y(y)(values) ?? undefined}
        />
        {values.map((value, slice) =>
          value !== null && isAlone(slice) ? (
            <circle key={chart.slices[slice]?.at} cx={centers[slice]} cy={toY(value)} r={2.5} />
          ) : null,
        )}
      </g>
    );
  });
}
