import type { ActivityReportRow, Receipt } from "@feather/sdk";
import type { ChartData } from "#/components/chart/chart-data.ts";
import { getSliceName } from "./activity.ts";
import { listSliceNames, type Period } from "./period.ts";

type Outcome = Receipt["outcome"];
type ChartLabels = { nameOf(outcome: Outcome): string; format(share: number): string; requests: string };

/** Outcomes that count as failures: a request aborted by its client does not. */
const FAILED_OUTCOMES = ["failed", "interrupted"] as const satisfies readonly Outcome[];
const OTHER_OUTCOMES = ["completed", "aborted"] as const satisfies readonly Outcome[];

/**
 * Returns the share of failed requests of each slice by outcome; the number of requests for each outcome appears in the
 * table.
 */
export function createFailuresChart(
  items: readonly ActivityReportRow[],
  period: Period,
  labels: ChartLabels,
): ChartData {
  const slices = new Map(listSliceNames(period).map((at) => [at, new Map<string, number>()]));
  const all = new Map<string, number>();
  for (const item of items) {
    const counts = slices.get(getSliceName(item, period));
    const outcome = item.group.outcome ?? "";
    for (const sums of counts ? [counts, all] : []) sums.set(outcome, (sums.get(outcome) ?? 0) + item.request_count);
  }
  return {
    kind: "bars",
    series: FAILED_OUTCOMES.map((outcome, index) => ({
      id: outcome,
      name: labels.nameOf(outcome),
      total: labels.format(getShare(outcome, all)),
      // Not the colour of good figures.
      ...(index === 0 && { tone: "bad" as const }),
    })),
    more: [labels.requests, ...OTHER_OUTCOMES.map(labels.nameOf)],
    slices: [...slices].map(([at, counts]) => ({
      at,
      values: FAILED_OUTCOMES.map((outcome) => getShare(outcome, counts)),
      more: [total(counts), ...OTHER_OUTCOMES.map((outcome) => counts.get(outcome) ?? 0)],
    })),
    format: labels.format,
  };
}

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

/** Zero where there are no requests. */
const getShare = (outcome: Outcome, counts: ReadonlyMap<string, number>): number =>
  (counts.get(outcome) ?? 0) / Math.max(1, total(counts));
