import type { Logger } from "pino";
import type { UsageRow } from "../../gateway/index.ts";
import type { CountedCall, TrafficCounters } from "../../platform/core/metrics/traffic-counters.ts";

/** Returns a function that counts each call to a model, and logs calls whose first byte came late. */
export function watchCalls(
  traffic: Pick<TrafficCounters, "countCall">,
  log: Pick<Logger, "warn">,
  slowMs: number,
): (row: UsageRow) => void {
  return (row) => {
    const call = row as UsageRow & CountedCall; // the pipeline sets all these fields
    traffic.countCall(call);
    if (call.first_byte_ms !== null && call.first_byte_ms - call.queued_ms > slowMs) logSlowCall(log, call);
  };
}

function logSlowCall(log: Pick<Logger, "warn">, row: UsageRow & CountedCall): void {
  const { id, organization_id, api_key_id, model_id, backend, first_byte_ms, queued_ms, duration_ms } = row;
  const call = { request_id: id, organization_id, api_key_id, model: model_id, backend };
  log.warn({ ...call, first_byte_ms, queued_ms, duration_ms }, "a slow call to a model");
}
