import type { Result } from "@feather/sdk";
import { sliceAt } from "./activity.ts";
import type { Chart } from "./chart.ts";

/** The units in use over a period. */
export type Units = Result<"usage.concurrencies">;
type Words = { most: string; refused: string; limit: string; format(value: number): string };

/** Returns the most units in use in each slice as a chart, with the plan's limit. */
export function unitsChart({ limit, items }: Units, days: number, words: Words): Chart {
  return {
    series: [{ id: "most", name: words.most }],
    more: [words.refused],
    slices: items.map(({ bucket_at, used_max, rejected }) => ({
      at: sliceAt(bucket_at, days),
      values: [used_max],
      more: [rejected],
    })),
    format: words.format,
    ...(limit !== null && { limit: { value: limit, name: words.limit } }),
  };
}

/** Returns the number of slices in which every unit of the plan was in use. */
export const timesFull = ({ limit, items }: Units): number =>
  limit === null ? 0 : items.filter(({ used_max }) => used_max >= limit).length;
