import type { ConcurrencyReport } from "@feather/sdk";
import type { ChartData } from "#/components/chart/chart-data.ts";
import { type Period, toSliceName } from "./period.ts";

type ChartLabels = { max: string; refused: string; limit: string; format(value: number): string };

/** Returns the most units in use in each slice as a chart, with the plan's limit. */
export function createUnitsChart({ limit, items }: ConcurrencyReport, period: Period, labels: ChartLabels): ChartData {
  return {
    kind: "bars",
    isCount: true,
    series: [{ id: "most", name: labels.max }],
    more: [labels.refused],
    slices: items.map(({ bucket_at, used_max, rejected }) => ({
      at: toSliceName(bucket_at, period),
      values: [used_max],
      more: [rejected],
    })),
    format: labels.format,
    ...(limit !== null && { limit: { value: limit, name: labels.limit } }),
  };
}

/** Returns the number of slices in which every unit of the plan was in use. */
export const countFullSlices = ({ limit, items }: ConcurrencyReport): number =>
  limit === null ? 0 : items.filter(({ used_max }) => used_max >= limit).length;
