import type { OperationsPoint } from "@feather/sdk";
import { ChartFigure } from "#/components/chart/chart-figure.tsx";
import { createCharts } from "./charts.ts";
import styles from "./operations-charts.module.css";

/** The charts of the last hour. */
export function OperationsCharts({ points }: { points: readonly OperationsPoint[] }) {
  return (
    <div className={styles.charts}>
      {createCharts(points).map(({ id, title, emptyText, chart }) => (
        <section key={id} aria-label={title}>
          <h2 className="h4">{title}</h2>
          <ChartFigure label={title} chart={chart} emptyText={emptyText} />
        </section>
      ))}
    </div>
  );
}
