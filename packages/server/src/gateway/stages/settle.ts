import { AppError, hasCode } from "../../core/errors/index.ts";
import type { Call, Outcome, ResolvedCall } from "../call.ts";
import { estimatePromptTokens } from "../token-estimates.ts";
import type { UsageRow } from "../usage-writer.ts";

/** The usage row of a call that has ended. */
export function toUsageRow(call: ResolvedCall, outcome: Outcome): UsageRow {
  const { usage } = outcome;
  return {
    id: call.id,
    organization_id: call.actor.organizationId,
    user_id: call.actor.userId,
    api_key_id: call.actor.credential.type === "key" ? call.actor.credential.id : null,
    model_id: call.model.key,
    model_class_id: call.model.classId,
    backend: outcome.backend,
    kind: call.kind,
    outcome: outcome.outcome,
    status: outcome.status,
    error_code: outcome.errorCode,
    streamed: call.body.stream === true,
    prompt_tokens: usage?.prompt ?? (outcome.deltas > 0 ? estimatePromptTokens(call.body) : 0),
    completion_tokens: usage?.completion ?? outcome.deltas,
    cached_tokens: usage?.cached ?? 0,
    estimated: usage === null && outcome.deltas > 0,
    units: call.cost,
    queued_ms: call.queuedMs,
    started_at: call.startedAt,
    first_byte_ms: outcome.firstByteMs,
    // Start is rounded up and end down, so that consecutive calls never seem to hold the same units.
    duration_ms: Math.max(call.queuedMs, Math.floor(call.elapsedMs())),
  };
}

/** The outcome of a call that ended with an error or was aborted. */
export function toFailedOutcome(error: unknown, { signal }: Call): Outcome {
  const noResult = { backend: null, firstByteMs: null, usage: null, deltas: 0 };
  const cause = signal.aborted ? signal.reason : error;
  if (signal.aborted && !(cause instanceof AppError))
    return { ...noResult, outcome: "aborted", status: 499, errorCode: "client_closed" };
  const { status, code } = cause instanceof AppError ? cause : { status: 500, code: "internal_error" };
  return { ...noResult, outcome: toFailedOutcomeName(signal), status, errorCode: code };
}

/**
 * How a call ended that got an error. One that its caller stopped counts as aborted, like one whose caller disconnected: what
 * was generated is charged.
 */
export function toFailedOutcomeName(signal: AbortSignal): "aborted" | "interrupted" | "failed" {
  if (!signal.aborted) return "failed";
  return hasCode(signal.reason, "request_stopped") ? "aborted" : "interrupted";
}
