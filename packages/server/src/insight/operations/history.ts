import type { MetricId } from "../../platform/core/metrics/definitions.ts";
import { metricOf } from "../../platform/core/metrics/definitions.ts";
import { quantileOf, type Series } from "../../platform/core/metrics/series.ts";

/** All metrics at one time, in milliseconds since the epoch. */
export type Sample = { at: number; series: readonly Series[] };

/** The figures of one interval: rates and quantiles over it, and gauges at its end. Null where nothing was measured. */
export type OperationsPoint = {
  at: Date;
  requestsPerSecond: number;
  refusedPerSecond: number;
  failedPerSecond: number;
  callsPerSecond: number;
  tokensPerSecond: number;
  firstTokenP50Ms: number | null;
  firstTokenP95Ms: number | null;
  units: number;
  runningCalls: number;
  waitingCalls: number;
  usageRows: number;
  loopDelayMs: number;
  loopUtilization: number;
  memoryBytes: number;
  databaseInUse: number;
  databaseWaiting: number;
  queryP95Ms: number | null;
};

/** Adds up the values of a metric over all its series, or those with a label value. */
export function sumOf(series: readonly Series[], metric: MetricId, labelValue?: string): number {
  return series
    .filter((one) => one.metric === metric && (labelValue === undefined || one.labels.includes(labelValue)))
    .reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
}

/** Keeps the latest points in memory, at most `maxPoints`. */
export class OperationsHistory {
  readonly #maxPoints: number;
  readonly #points: OperationsPoint[] = [];
  #last: Sample | null = null;

  constructor(maxPoints: number) {
    this.#maxPoints = maxPoints;
  }

  /** Adds a sample. The first one makes no point: later ones are compared with it. */
  add(sample: Sample): void {
    if (this.#last !== null && sample.at > this.#last.at) this.#points.push(toPoint(this.#last, sample));
    if (this.#points.length > this.#maxPoints) this.#points.shift();
    this.#last = sample;
  }

  list(): readonly OperationsPoint[] {
    return this.#points;
  }
}

/** Returns the figures of the interval between two samples. */
function toPoint(before: Sample, { at, series }: Sample): OperationsPoint {
  const seconds = (at - before.at) / 1000;
  const rate = (metric: MetricId, labelValue?: string) =>
    Math.max(0, sumOf(series, metric, labelValue) - sumOf(before.series, metric, labelValue)) / seconds;
  const quantileMs = (metric: MetricId, quantile: number) => {
    const value = quantileOf({ metric, values: increaseOf(before.series, series, metric) }, quantile);
    return value === null ? null : value * 1000;
  };
  return {
    at: new Date(at),
    requestsPerSecond: rate("requests"),
    refusedPerSecond: rate("requests", "4xx"),
    failedPerSecond: rate("requests", "5xx"),
    callsPerSecond: rate("calls"),
    tokensPerSecond: rate("tokens", "output"),
    firstTokenP50Ms: quantileMs("firstTokenSeconds", 0.5),
    firstTokenP95Ms: quantileMs("firstTokenSeconds", 0.95),
    units: sumOf(series, "units"),
    runningCalls: sumOf(series, "runningCalls"),
    waitingCalls: sumOf(series, "waitingCalls"),
    usageRows: sumOf(series, "usageRows"),
    loopDelayMs: sumOf(series, "loopDelayHigh") * 1000,
    loopUtilization: sumOf(series, "loopUtilization"),
    memoryBytes: sumOf(series, "residentMemory"),
    databaseInUse: sumOf(series, "databaseConnections", "in_use"),
    databaseWaiting: sumOf(series, "databaseWaiting"),
    queryP95Ms: quantileMs("querySeconds", 0.95),
  };
}

/** Returns the increase of a histogram between two samples, summed over all its labels. */
function increaseOf(before: readonly Series[], after: readonly Series[], metric: MetricId): number[] {
  const values = new Array<number>((metricOf(metric).buckets?.length ?? 0) + 2).fill(0);
  const add = (series: readonly Series[], sign: number) => {
    for (const one of series)
      if (one.metric === metric)
        for (const [index, value] of one.values.entries()) values[index] = (values[index] ?? 0) + sign * value;
  };
  add(after, 1);
  add(before, -1);
  return values;
}
