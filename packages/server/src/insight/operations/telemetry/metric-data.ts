import { type HrTime, ValueType } from "@opentelemetry/api";
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import { METRICS, type MetricDefinition, type MetricId, metricOf } from "../../../platform/core/metrics/definitions.ts";
import { countOf, type Series } from "../../../platform/core/metrics/series.ts";

/** Metrics that OpenTelemetry's conventions for generative AI have a name for. */
const CONVENTIONAL_NAMES: Readonly<Partial<Record<MetricId, string>>> = {
  callSeconds: "gen_ai.server.request.duration",
  firstTokenSeconds: "gen_ai.server.time_to_first_token",
};
const OPERATIONS: Readonly<Record<string, string>> = {
  chat: "chat",
  completion: "text_completion",
  embedding: "embeddings",
};
const UNITS: readonly [RegExp, string][] = [
  [/_seconds(_total)?$/, "s"],
  [/_bytes$/, "By"],
  [/_ratio$/, "1"],
];

/** Returns series as OpenTelemetry's SDK exports them: cumulative since the start of the process. */
export function toMetricData(series: readonly Series[], startTime: HrTime, endTime: HrTime): MetricData[] {
  const byMetric = Map.groupBy(series, ({ metric }) => metric);
  return (Object.keys(METRICS) as MetricId[]).flatMap((id) => {
    const own = byMetric.get(id);
    return own === undefined ? [] : [toMetric(id, own, startTime, endTime)];
  });
}

function toMetric(id: MetricId, series: readonly Series[], startTime: HrTime, endTime: HrTime): MetricData {
  const definition = metricOf(id);
  const base = {
    descriptor: {
      name: CONVENTIONAL_NAMES[id] ?? definition.name.replace(/_total$/, ""),
      description: definition.help,
      unit: UNITS.find(([pattern]) => pattern.test(definition.name))?.[1] ?? "",
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const toPoint = <T>(one: Series, value: T): DataPoint<T> => ({
    startTime,
    endTime,
    value,
    attributes: toAttributes(id, definition, one),
  });
  const { buckets } = definition;
  if (buckets !== undefined)
    return {
      ...base,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: series.map((one) =>
        toPoint(one, {
          buckets: { boundaries: [...buckets], counts: one.values.slice(0, -1) },
          sum: one.values.at(-1) ?? 0,
          count: countOf(one),
        }),
      ),
    };
  const dataPoints = series.map((one) => toPoint(one, one.values[0] ?? 0));
  return definition.type === "counter"
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

function toAttributes(id: MetricId, definition: MetricDefinition, { labels }: Series): Record<string, string> {
  const attributes = Object.fromEntries(definition.labels.map((label, index) => [label, labels[index] ?? ""]));
  if (CONVENTIONAL_NAMES[id] === undefined) return attributes;
  const { model = "", kind = "" } = attributes;
  return {
    "gen_ai.request.model": model,
    "gen_ai.operation.name": OPERATIONS[kind] ?? kind,
    "gen_ai.provider.name": "feather",
  };
}
