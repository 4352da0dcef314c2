import styles from "./chart.module.css";
import type { ChartData } from "./chart-data.ts";
import { listSliceFigures } from "./describe-slice.ts";
import type { ChartLayout } from "./layout.ts";
import { seriesClass } from "./series-class.ts";
import { formatSliceTime } from "./slice-time.ts";

type Props = { chart: ChartData; index: number; layout: ChartLayout; isRightToLeft: boolean };

/** Shows the figures of a slice next to it. Screen readers get them from the slider. */
export function Tooltip({ chart, index, layout, isRightToLeft }: Props) {
  const slice = chart.slices[index];
  if (!slice) return null;
  const center = layout.centers[index] ?? 0;
  const start = isRightToLeft ? layout.width - center : center;
  const distance = layout.step / 2 + 6;
  const side =
    start > layout.width / 2
      ? { insetInlineEnd: layout.width - start + distance }
      : { insetInlineStart: start + distance };
  return (
    <div className={styles.tooltip} style={side} aria-hidden="true">
      <p className={styles.time}>{formatSliceTime(slice)}</p>
      <dl>
        {listSliceFigures(chart, index).map(({ id, name, value, series }) => (
          <div key={id}>
            <dt>
              {series === undefined ? null : <i className={`${styles.swatch} ${seriesClass(chart, series)}`} />}
              {name}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
