import type { Outcome, ResolvedCall } from "../call.ts";
import { estimatePrompt } from "../token-estimates.ts";
import type { UsageRow } from "../usage-writer.ts";

/** The usage row of a call that has ended. */
export function usageRow(call: ResolvedCall, end: Outcome): UsageRow {
  const { usage } = end;
  return {
    id: call.id,
    organization_id: call.actor.organizationId,
    user_id: call.actor.userId,
    api_key_id: call.actor.credential.type === "key" ? call.actor.credential.id : null,
    model_id: call.model.key,
    model_class_id: call.model.classId,
    backend: end.backend,
    kind: call.kind,
    outcome: end.outcome,
    status: end.status,
    error_code: end.errorCode,
    streamed: call.body.stream === true,
    prompt_tokens: usage?.prompt ?? (end.deltas > 0 ? estimatePrompt(call.body) : 0),
    completion_tokens: usage?.completion ?? end.deltas,
    cached_tokens: usage?.cached ?? 0,
    estimated: usage === null && end.deltas > 0,
    units: call.cost,
    queued_ms: call.queuedMs,
    started_at: call.startedAt,
    first_byte_ms: end.firstByteMs,
    // Start is rounded up and end down, so that consecutive calls never seem to hold the same units.
    duration_ms: Math.max(call.queuedMs, Math.floor(call.elapsed())),
  };
}
