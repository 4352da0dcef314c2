import { type MetricId, metricOf } from "./definitions.ts";

/**
 * The state of one metric for one set of label values, in plain data that can be sent between threads. A counter or gauge
 * has one value. A histogram has the count of each bucket, the last one without an upper bound, and then the sum.
 */
export type Series = { metric: MetricId; labels: readonly string[]; values: readonly number[] };

/** Returns the series of a counter or gauge. The label values are in the order of the definition. */
export const toSeries = (metric: MetricId, value: number, ...labels: readonly string[]): Series => ({
  metric,
  labels,
  values: [value],
});

/** Returns the sum of several threads' series: values with the same metric and labels are added. */
export function sumSeries(snapshots: readonly (readonly Series[])[]): Series[] {
  const sums = new Map<string, Series & { values: number[] }>();
  for (const series of snapshots.flat()) {
    const key = [series.metric, ...series.labels].join("\0");
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...series, values: [...series.values] });
    else for (const [index, value] of series.values.entries()) sum.values[index] = (sum.values[index] ?? 0) + value;
  }
  return [...sums.values()];
}

/** Counts observations in fixed buckets. */
export class Histogram {
  readonly #metric: MetricId;
  readonly #buckets: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(metric: MetricId) {
    this.#metric = metric;
    this.#buckets = metricOf(metric).buckets ?? [];
    this.#counts = new Array<number>(this.#buckets.length + 1).fill(0);
  }

  observe(value: number): void {
    const buckets = this.#buckets;
    let index = 0;
    while (index < buckets.length && value > (buckets[index] as number)) index++;
    (this.#counts[index] as number)++;
    this.#sum += value;
  }

  snapshot(...labels: readonly string[]): Series {
    return { metric: this.#metric, labels, values: [...this.#counts, this.#sum] };
  }
}

/** Returns the number of observations of a histogram. */
export const countOf = ({ values }: Pick<Series, "values">): number =>
  values.slice(0, -1).reduce((sum, count) => sum + count, 0);

/**
 * Estimates a quantile of a histogram from its buckets, as Prometheus does: values are evenly spread within a bucket, and
 * the last bound is used above it. Returns null without observations.
 */
export function quantileOf({ metric, values }: Pick<Series, "metric" | "values">, quantile: number): number | null {
  const buckets = metricOf(metric).buckets ?? [];
  const total = countOf({ values });
  if (total === 0) return null;
  let before = 0;
  for (const [index, upper] of buckets.entries()) {
    const count = values[index] ?? 0;
    if (before + count >= quantile * total && count > 0) {
      const lower = buckets[index - 1] ?? 0;
      return lower + ((upper - lower) * (quantile * total - before)) / count;
    }
    before += count;
  }
  return buckets.at(-1) ?? null;
}
