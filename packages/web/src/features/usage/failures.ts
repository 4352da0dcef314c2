import { type Item, sliceOf, slicesOf } from "./activity.ts";
import type { Chart } from "./chart.ts";
import type { Receipt } from "./queries.ts";

type Outcome = Receipt["outcome"];
type Words = { nameOf(outcome: Outcome): string; format(share: number): string; requests: string };

/** Outcomes that count as failures: a request aborted by its client does not. */
const FAILED = ["failed", "interrupted"] as const satisfies readonly Outcome[];
const OTHERS = ["completed", "aborted"] as const satisfies readonly Outcome[];

/**
 * Returns the share of failed requests of each slice by outcome; the number of requests for each outcome appears in the
 * table.
 */
export function failuresChart(items: readonly Item[], days: number, now: Date, words: Words): Chart {
  const slices = new Map(slicesOf({ days, now }).map((at) => [at, new Map<string, number>()]));
  const all = new Map<string, number>();
  for (const item of items) {
    const counts = slices.get(sliceOf(item, days));
    const outcome = item.group.outcome ?? "";
    for (const sums of counts ? [counts, all] : []) sums.set(outcome, (sums.get(outcome) ?? 0) + item.request_count);
  }
  return {
    series: FAILED.map((outcome) => ({
      id: outcome,
      name: words.nameOf(outcome),
      total: words.format(shareOf(outcome, all)),
    })),
    more: [words.requests, ...OTHERS.map(words.nameOf)],
    slices: [...slices].map(([at, counts]) => ({
      at,
      values: FAILED.map((outcome) => shareOf(outcome, counts)),
      more: [total(counts), ...OTHERS.map((outcome) => counts.get(outcome) ?? 0)],
    })),
    format: words.format,
  };
}

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

/** Zero where there are no requests. */
const shareOf = (outcome: Outcome, counts: ReadonlyMap<string, number>): number =>
  (counts.get(outcome) ?? 0) / Math.max(1, total(counts));
