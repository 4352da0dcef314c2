import { DiagLogLevel, diag, type HrTime } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { MeterProvider, type MetricProducer, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { Series } from "../../../platform/core/metrics/series.ts";
import { toMetricData } from "./metric-data.ts";
import { createTracing } from "./otel-tracing.ts";
import { parseHeaders } from "./parse-headers.ts";
import type { TelemetrySettings } from "./telemetry.settings.ts";
import type { Telemetry } from "./telemetry.ts";

type Settings = TelemetrySettings & { endpoint: string };
type Deps = { version: string; log: Pick<Logger, "warn"> };

const SCOPE = "feather";
const EXPORT_TIMEOUT_MS = 10_000;
/** The longest time for which stopping the server waits for the collector. */
const STOP_TIMEOUT_MS = 5_000;

/** Creates the export of traces and metrics to a collector. Imported only if one is configured. */
export function createTelemetry(settings: Settings, { version, log }: Deps): Telemetry {
  logProblems(log);
  const resource = createResource(settings, version);
  const tracer = settings.traces === "otlp" ? createTracerProvider(settings, resource) : null;
  let meter: MeterProvider | null = null;
  return {
    tracing:
      tracer &&
      createTracing({
        tracer: tracer.getTracer(SCOPE, version),
        acceptsContext: settings.traceContext !== "off",
        passesContext: settings.traceContext === "pass",
      }),
    startMetrics(collect) {
      if (settings.metrics === "otlp") meter = createMeterProvider(settings, resource, collect);
    },
    async stop() {
      const stopping = Promise.allSettled([tracer?.shutdown(), meter?.shutdown()]);
      const timeout = new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref());
      await Promise.race([stopping, timeout]);
    },
  };
}

/** Describes this server. Settings take precedence over OTEL_RESOURCE_ATTRIBUTES, which the library reads. */
function createResource({ serviceName }: Settings, version: string): Resource {
  const own = resourceFromAttributes({ "service.name": "feather", "service.version": version });
  const described = own.merge(detectResources({ detectors: [resourceAttributesEnvDetector] }));
  return serviceName === undefined
    ? described
    : described.merge(resourceFromAttributes({ "service.name": serviceName }));
}

const exporterOptions = ({ endpoint, headers }: Settings, path: string) => ({
  url: new URL(path, endpoint.endsWith("/") ? endpoint : `${endpoint}/`).href,
  headers: parseHeaders(headers),
  timeoutMillis: EXPORT_TIMEOUT_MS,
});

function createTracerProvider(settings: Settings, resource: Resource): TracerProvider {
  const exporter = new OTLPTraceExporter(exporterOptions(settings, "v1/traces"));
  return new TracerProvider({
    resource,
    sampler: createSampler(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
}

function createSampler({ sampler, samplerRatio }: Settings): Sampler {
  const name = sampler.replace("parentbased_", "");
  const root =
    name === "always_on"
      ? new AlwaysOnSampler()
      : name === "always_off"
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(samplerRatio);
  return name === sampler ? root : new ParentBasedSampler({ root });
}

function createMeterProvider(
  settings: Settings,
  resource: Resource,
  collect: () => Promise<readonly Series[]>,
): MeterProvider {
  const startTime = toHrTime(performance.timeOrigin);
  const producer: MetricProducer = {
    collect: async () => {
      const metrics = toMetricData(await collect(), startTime, toHrTime(performance.timeOrigin + performance.now()));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: SCOPE }, metrics }] }, errors: [] };
    },
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(exporterOptions(settings, "v1/metrics")),
    exportIntervalMillis: settings.metricIntervalMs,
    exportTimeoutMillis: Math.min(EXPORT_TIMEOUT_MS, settings.metricIntervalMs),
    metricProducers: [producer],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

/** Logs problems of the library, such as a collector that does not answer. */
function logProblems(log: Pick<Logger, "warn">): void {
  const warn = (message: string) => log.warn({ reason: message.slice(0, 500) }, "OpenTelemetry reports a problem");
  const ignore = () => {};
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}

function toHrTime(milliseconds: number): HrTime {
  const seconds = Math.trunc(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
