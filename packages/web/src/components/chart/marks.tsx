import { area, line } from "d3-shape";
import styles from "./chart.module.css";
import type { ChartData } from "./chart-data.ts";
import { type ChartLayout, stackBars } from "./layout.ts";
import { seriesClass } from "./series-class.ts";

/** The width of a bar as a fraction of its slice, and at most, in pixels. */
const BAR_WIDTH_RATIO = 0.72;
const MAX_BAR_WIDTH = 40;
/** The height in pixels of a bar for a measured zero. */
const ZERO_HEIGHT = 2;

type Props = { chart: ChartData; layout: ChartLayout };

/** The bars of a chart, stacked by series. */
export function Bars({ chart, layout }: Props) {
  const { centers, step, bottom, toY } = layout;
  const width = Math.min(step * BAR_WIDTH_RATIO, MAX_BAR_WIDTH);
  // Only where some slices were not measured, a zero tells something.
  const hasGaps = chart.slices.some(({ values }) => values.includes(null));
  return stackBars(chart, toY).map((segments, slice) => {
    const { at, values } = chart.slices[slice] ?? { at: "", values: [] };
    const x = (centers[slice] ?? 0) - width / 2;
    if (hasGaps && values.every((value) => value === 0))
      return <rect key={at} className={styles.zero} {...{ x, width }} y={bottom - ZERO_HEIGHT} height={ZERO_HEIGHT} />;
    return segments.map(({ series, y, height }) =>
      height > 0 ? (
        <rect key={`${at} ${series}`} className={seriesClass(chart, series)} {...{ x, y, width, height }} />
      ) : null,
    );
  });
}

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
