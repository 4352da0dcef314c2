import type { Series } from "../../../platform/core/metrics/series.ts";
import type { Tracing } from "../../../platform/core/tracing.ts";

/** Sends traces and metrics to a collector. */
export type Telemetry = {
  /** Null if traces are not sent. */
  tracing: Tracing | null;
  /** Sends the metrics that `collect` returns at each interval, if metrics are configured to be sent. */
  startMetrics(collect: () => Promise<readonly Series[]>): void;
  /** Sends what was not sent yet, for a few seconds at most. */
  stop(): Promise<void>;
};
