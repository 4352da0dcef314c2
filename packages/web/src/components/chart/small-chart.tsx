import type { ReactNode } from "react";
import { Chart } from "./chart.tsx";
import { type ChartData, getMaxValue } from "./chart-data.ts";
import { EmptyChart } from "./empty-chart.tsx";

type Props = {
  chart: ChartData;
  label: string;
  /** Shown in place of a chart without values. */
  emptyText: ReactNode;
};

/** A chart next to a figure, without legend and table. */
export function SmallChart({ chart, label, emptyText }: Props) {
  return getMaxValue(chart) === 0 ? (
    <div className="small">
      <EmptyChart>{emptyText}</EmptyChart>
    </div>
  ) : (
    <Chart isSmall chart={chart} label={label} />
  );
}
