import type { Logger } from "pino";
import type { Series } from "../../../core/metrics/series.ts";
import type { Tracing } from "../../../core/tracing.ts";
import type { TelemetrySettings } from "./telemetry.settings.ts";

/** What sends traces and metrics to a collector. */
export type Telemetry = {
  /** Null if traces are not sent. */
  tracing: Tracing | null;
  /** Sends the metrics that `collect` returns, at each interval, if metrics are sent. */
  startMetrics(collect: () => Promise<readonly Series[]>): void;
  /** Sends what waits, for some seconds at most. */
  stop(): Promise<void>;
};

/** Loads OpenTelemetry if a collector is configured; otherwise returns null, and nothing of it is imported. */
export async function loadTelemetry(
  settings: TelemetrySettings,
  deps: { version: string; log: Pick<Logger, "warn"> },
): Promise<Telemetry | null> {
  const { endpoint, traces, metrics } = settings;
  if (endpoint === undefined || (traces === "none" && metrics === "none")) return null;
  const { createTelemetry } = await import("./open-telemetry.ts");
  return createTelemetry({ ...settings, endpoint }, deps);
}
