import { type MetricId, metricOf } from "../../../platform/core/metrics/definitions.ts";

/** Returns the name of a metric in queries. */
export const nameOf = (id: MetricId): string => metricOf(id).name;

/** Returns a query for the increase of a counter per second, grouped by labels. */
export function rateOf(id: MetricId, { by = [], where = "" }: { by?: readonly string[]; where?: string } = {}): string {
  const rate = `rate(${nameOf(id)}${where}[$__rate_interval])`;
  return by.length === 0 ? `sum(${rate})` : `sum by (${by.join(", ")}) (${rate})`;
}

/** Returns a query for a quantile of a histogram over all its labels, or by one. */
export function quantileQueryOf(id: MetricId, quantile: number, by: readonly string[] = []): string {
  const labels = ["le", ...by].join(", ");
  return `histogram_quantile(${quantile}, sum by (${labels}) (rate(${nameOf(id)}_bucket[$__rate_interval])))`;
}

/**
 * Returns a query with a fixed interval instead of Grafana's variable. Alert rules need it, because Prometheus does not
 * fill variables in.
 */
export const overInterval = (query: string, interval: string): string => query.replaceAll("$__rate_interval", interval);
