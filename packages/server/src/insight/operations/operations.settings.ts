import { z } from "zod";
import { onOff, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";

const PORT_MESSAGE = "must be a whole number from 1 to 65535";
const port = z.coerce.number(PORT_MESSAGE).int(PORT_MESSAGE).min(1, PORT_MESSAGE).max(65535, PORT_MESSAGE);
const thresholdSeconds = z.coerce.number().min(0).max(3_600);

/** Settings of metrics and of what is logged. */
export const operationsSettings = {
  metricsPort: {
    env: "FEATHER_METRICS_PORT",
    doc: "Port of its own on which /metrics is served for Prometheus; by default there is none.",
    schema: port.optional(),
    default: undefined,
  },
  metricsHost: {
    env: "FEATHER_METRICS_HOST",
    doc: "Address that FEATHER_METRICS_PORT listens on; 0.0.0.0 lets other machines in.",
    schema: z.string().min(1),
    default: "127.0.0.1",
  },
  metricsToken: {
    env: "FEATHER_METRICS_TOKEN",
    doc: "Bearer token for /metrics, which is then served on FEATHER_PORT too, and is asked for on FEATHER_METRICS_PORT. At least 16 characters.",
    schema: z.string().min(16).max(512).optional(),
    default: undefined,
    secret: true,
  },
  logsRequests: {
    env: "FEATHER_LOG_REQUESTS",
    doc: "Whether each request is logged when it has ended: operation, status, duration, organization and API key; never its address or body.",
    schema: onOff,
    default: "off",
    editable: true,
  },
  slowRequestSeconds: {
    env: "FEATHER_SLOW_REQUEST",
    doc: "Seconds from which a request is logged as slow; 0 for never. Of calls to models the time to the first byte counts, without the wait for units.",
    schema: thresholdSeconds,
    default: "10",
    editable: true,
  },
  slowQuerySeconds: {
    env: "FEATHER_SLOW_QUERY",
    doc: "Seconds from which a database query is logged as slow, without its values; 0 for never.",
    schema: thresholdSeconds,
    default: "1",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of metrics and of what is logged. */
export type OperationsSettings = SettingsOf<typeof operationsSettings>;

/** Converts a threshold to milliseconds. 0 seconds switch it off, which is infinity. */
export const toThresholdMs = (seconds: number): number => (seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000);
