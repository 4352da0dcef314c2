import type { Logger } from "pino";
import type { TelemetrySettings } from "./telemetry.settings.ts";
import type { Telemetry } from "./telemetry.ts";

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
