import { METRICS, type MetricDefinition, type MetricId, metricOf } from "./definitions.ts";
import type { Series } from "./series.ts";

/** Content type of the text format. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Renders series in the text format of Prometheus, in the order of the list. Metrics without a series are left out. */
export function renderPrometheus(series: readonly Series[]): string {
  const byMetric = Map.groupBy(series, ({ metric }) => metric);
  let text = "";
  for (const id of Object.keys(METRICS) as MetricId[]) {
    const own = byMetric.get(id);
    if (own === undefined) continue;
    const definition = metricOf(id);
    const help = definition.help.replaceAll("\\", "\\\\");
    text += `# HELP ${definition.name} ${help}\n# TYPE ${definition.name} ${definition.type}\n`;
    for (const one of own) text += renderSeries(definition, one);
  }
  return text;
}

function renderSeries(definition: MetricDefinition, { labels, values }: Series): string {
  const { name, buckets } = definition;
  const pairs = definition.labels.map((label, index) => `${label}="${escapeValue(labels[index] ?? "")}"`);
  if (buckets === undefined) return `${name}${toBraces(pairs)} ${formatNumber(values[0] ?? 0)}\n`;
  let count = 0;
  let text = "";
  for (const [index, bound] of [...buckets, Number.POSITIVE_INFINITY].entries()) {
    count += values[index] ?? 0;
    text += `${name}_bucket${toBraces([...pairs, `le="${formatNumber(bound)}"`])} ${count}\n`;
  }
  const sum = values[buckets.length + 1] ?? 0;
  return `${text}${name}_sum${toBraces(pairs)} ${formatNumber(sum)}\n${name}_count${toBraces(pairs)} ${count}\n`;
}

const toBraces = (pairs: readonly string[]): string => (pairs.length === 0 ? "" : `{${pairs.join(",")}}`);

const escapeValue = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const formatNumber = (value: number): string => (value === Number.POSITIVE_INFINITY ? "+Inf" : String(value));
