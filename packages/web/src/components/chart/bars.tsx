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
