import { z } from "zod";
import { httpUrl, type SettingDeclarations, type SettingsOf } from "../../../platform/core/settings.ts";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Export to an OpenTelemetry collector, by the names that OpenTelemetry gives these variables. */
export const telemetrySettings = {
  endpoint: {
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    doc: "Address of an OpenTelemetry collector, such as http://127.0.0.1:4318, to which traces and metrics are sent as OTLP over HTTP in JSON; by default nothing is sent.",
    schema: httpUrl.optional(),
    default: undefined,
  },
  headers: {
    env: "OTEL_EXPORTER_OTLP_HEADERS",
    doc: "Headers for the collector, as name=value by commas; values percent-encoded.",
    schema: z.string().max(8_192).optional(),
    default: undefined,
    secret: true,
  },
  protocol: {
    env: "OTEL_EXPORTER_OTLP_PROTOCOL",
    doc: "How the collector is spoken to; http/json is the only way.",
    schema: z.enum(["http/json"]),
    default: "http/json",
  },
  serviceName: {
    env: "OTEL_SERVICE_NAME",
    doc: "Name of this server in traces and metrics of OpenTelemetry; by default that of OTEL_RESOURCE_ATTRIBUTES, or feather.",
    schema: z.string().min(1).max(255).optional(),
    default: undefined,
  },
  traces: {
    env: "OTEL_TRACES_EXPORTER",
    doc: "Whether traces are sent: otlp or none.",
    schema: z.enum(["otlp", "none"]),
    default: "otlp",
  },
  metrics: {
    env: "OTEL_METRICS_EXPORTER",
    doc: "Whether metrics are sent: otlp or none.",
    schema: z.enum(["otlp", "none"]),
    default: "otlp",
  },
  sampler: {
    env: "OTEL_TRACES_SAMPLER",
    doc: `Which requests are traced: ${SAMPLERS.join(", ")}.`,
    schema: z.enum(SAMPLERS),
    default: "parentbased_always_on",
  },
  samplerRatio: {
    env: "OTEL_TRACES_SAMPLER_ARG",
    doc: "Share of requests, from 0 to 1, that traceidratio and parentbased_traceidratio trace.",
    schema: z.coerce.number().min(0).max(1),
    default: "1",
  },
  metricIntervalMs: {
    env: "OTEL_METRIC_EXPORT_INTERVAL",
    doc: "Milliseconds between two exports of metrics.",
    schema: z.coerce.number().int().min(1_000).max(3_600_000),
    default: "60000",
  },
  traceContext: {
    env: "FEATHER_TRACE_CONTEXT",
    doc: "What becomes of the header traceparent: off starts a trace for each request; accept continues the caller's; pass also sends it on to backends, which then know that their calls belong together.",
    schema: z.enum(["off", "accept", "pass"]),
    default: "off",
  },
} as const satisfies SettingDeclarations;

/** The settings of OpenTelemetry. */
export type TelemetrySettings = SettingsOf<typeof telemetrySettings>;
