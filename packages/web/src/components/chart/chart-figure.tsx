import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import styles from "./chart.module.css";
import { Chart } from "./chart.tsx";
import { type ChartData, getMaxValue, listNonEmptySlices } from "./chart-data.ts";
import { ChartTable } from "./chart-table.tsx";
import { EmptyChart } from "./empty-chart.tsx";
import { Legend } from "./legend.tsx";
import { describeTimeZone } from "./slice-time.ts";

type Props = {
  chart: ChartData;
  label: string;
  /** What would be here and how to get it, shown in place of an empty chart. */
  emptyText: ReactNode;
  /** Whether a table is included; false on pages that have one. */
  hasTable?: boolean;
};

/** A chart with the names of its series and, on request, its figures as a table. */
export function ChartFigure({ chart, label, emptyText, hasTable = true }: Props) {
  const [first] = chart.slices;
  const isEmpty = getMaxValue(chart) === 0;
  return (
    <figure className={styles.figure}>
      {isEmpty ? (
        <EmptyChart>{emptyText}</EmptyChart>
      ) : (
        <>
          <Legend chart={chart} />
          <Chart chart={chart} label={label} />
        </>
      )}
      <figcaption className={`small ${styles.foot}`}>
        {hasTable && listNonEmptySlices(chart).length > 0 ? (
          <details>
            <summary className="muted">
              {t`As a table`}
              <span className="visually-hidden">: {label}</span>
            </summary>
            <ChartTable chart={chart} label={label} />
          </details>
        ) : null}
        {first && !isEmpty ? <span className={`tiny faint ${styles.zone}`}>{describeTimeZone(first)}</span> : null}
      </figcaption>
    </figure>
  );
}
