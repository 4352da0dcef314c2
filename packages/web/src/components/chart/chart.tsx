import { Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "./chart.module.css";
import type { ChartData } from "./chart-data.ts";
import type { PlotProps } from "./plot.tsx";

/** Loaded with the first chart: pages that visits start on do not wait for it. */
const Plot = lazyComponent<PlotProps>(async () => (await import("./plot.tsx")).Plot);

const HEIGHT = 200;
const SMALL_HEIGHT = 116;

type Props = {
  chart: ChartData;
  /** What the chart shows, for screen readers. */
  label: string;
  /** Whether the chart is one of several in a row, so that it is low and has few marks. */
  isSmall?: boolean;
};

/** A chart of figures over time: its drawing only. `ChartFigure` adds names and a table. */
export function Chart({ chart, label, isSmall = false }: Props) {
  const height = isSmall ? SMALL_HEIGHT : HEIGHT;
  return (
    <div className={isSmall ? styles.small : styles.room}>
      <Suspense>
        <Plot chart={chart} label={label} height={height} isSmall={isSmall} />
      </Suspense>
    </div>
  );
}
