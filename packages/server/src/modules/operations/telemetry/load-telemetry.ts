import type { Logger } from "pino";
import type { Series } from "../../../core/metrics/series.ts";
import type { Tracing } from "../../../core/tracing.ts";
import type { TelemetrySettings } from "./telemetry.settings.ts";

/** Sends traces and metrics to a collector. */
export type Telemetry = {
  /** Null if traces are not sent. */
  tracing: Tracing | null;
  /** Sends the metrics that `collect` returns at each interval, if metrics are configured to be sent. */
  startMetrics(collect: () => Promise<readonly Series[]>): void;
  /** Sends what was not sent yet, for a few seconds at most. */
  stop(): Promise<void>;
};

/** Loads OpenTelemetry if a collector is configured. Otherwise returns null without importing it. */
export async function loadTelemetry(
  settings: TelemetrySettings,
  deps: { version: string; log: Pick<Logger, "warn"> },
): Promise<Telemetry | null> {
  const { endpoint, traces, metrics } = settings;
  if (endpoint === undefined || (traces === "none" && metrics === "none")) return null;
  const { createTelemetry } = await import("./open-telemetry.ts");
  return createTelemetry({ ...settings, endpoint }, deps);
}
