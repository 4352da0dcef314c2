import { t } from "@lingui/core/macro";
import { useMemo, useRef } from "react";
import { directionOf } from "#/i18n/locale.ts";
import { i18n } from "#/i18n/runtime.ts";
import { Axes } from "./axes.tsx";
import { Bars } from "./bars.tsx";
import styles from "./chart.module.css";
import type { ChartData } from "./chart-data.ts";
import { describeSlice } from "./describe-slice.ts";
import { type ChartLayout, createLayout } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { Tooltip } from "./tooltip.tsx";
import { usePoint } from "./use-point.ts";
import { useWidth } from "./use-width.ts";

/** Props of `Plot`. */
export type PlotProps = { chart: ChartData; label: string; height: number; isSmall: boolean };

/**
 * The drawing of a chart. It is a slider over the time slices: arrow keys move from one to the next, and a screen reader
 * reads the figures of each.
 */
export function Plot({ chart, label, height, isSmall }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const isRightToLeft = directionOf(i18n.locale) === "rtl";
  const layout = useMemo(
    () => createLayout(chart, { width, height, isRightToLeft, isSmall }),
    [chart, width, height, isRightToLeft, isSmall],
  );
  const { index, ...handlers } = usePoint(layout, isRightToLeft);
  const last = chart.slices.length - 1;
  return (
    <div
      ref={frame}
      className={styles.plot}
      role="slider"
      tabIndex={0}
      aria-label={t`${label}, over time`}
      aria-roledescription={t`chart`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index ?? last}
      aria-valuetext={describeSlice(chart, index ?? last)}
      {...handlers}
    >
      <svg className={styles.svg} width={width} height={height} aria-hidden="true">
        {index === null ? null : <Highlight layout={layout} index={index} />}
        <Axes layout={layout} isRightToLeft={isRightToLeft} />
        {chart.kind === "bars" ? <Bars chart={chart} layout={layout} /> : <Lines chart={chart} layout={layout} />}
        {chart.limit ? <LimitLine layout={layout} value={chart.limit.value} /> : null}
      </svg>
      {index === null ? null : <Tooltip chart={chart} index={index} layout={layout} isRightToLeft={isRightToLeft} />}
    </div>
  );
}

function Highlight({ layout, index }: { layout: ChartLayout; index: number }) {
  const { centers, step, top, bottom } = layout;
  const x = (centers[index] ?? 0) - step / 2;
  return <rect className={styles.highlight} x={x} width={step} y={top} height={bottom - top} />;
}

function LimitLine({ layout, value }: { layout: ChartLayout; value: number }) {
  const y = layout.toY(value);
  return <line className={styles.limit} x1={layout.left} x2={layout.right} y1={y} y2={y} />;
}
