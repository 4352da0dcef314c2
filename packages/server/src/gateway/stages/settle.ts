import { findOwnKey } from "../backends/own-keys.ts";
import type { Outcome, ResolvedCall } from "../call.ts";
import { estimatePromptTokens } from "../formats/token-estimates.ts";
import type { UsageRow } from "../usage/usage-writer.ts";
import { readChosenBy } from "./preferences.ts";

/** Returns the usage row of a call that has ended. */
export function toUsageRow(call: ResolvedCall, outcome: Outcome): UsageRow {
  const { usage } = outcome;
  const answering = call.backends.find(({ name }) => name === outcome.backend);
  return {
    id: call.id,
    organization_id: call.actor.organizationId,
    user_id: call.actor.userId,
    api_key_id: call.actor.credential.type === "key" ? call.actor.credential.id : null,
    model_id: call.model.key,
    model_class_id: call.model.classId,
    backend: outcome.backend,
    place: answering?.place ?? null,
    chosen_by: outcome.backend === null ? null : readChosenBy(call),
    own_key: answering !== undefined && findOwnKey(call, answering) !== null,
    kind: call.kind,
    outcome: outcome.outcome,
    status: outcome.status,
    error_code: outcome.errorCode,
    streamed: call.body.stream === true,
    prompt_tokens: usage?.prompt ?? (outcome.deltas > 0 ? estimatePromptTokens(call.body) : 0),
    completion_tokens: usage?.completion ?? outcome.deltas,
    cached_tokens: usage?.cached ?? 0,
    estimated: usage === null ? outcome.deltas > 0 : usage.isEstimated === true,
    ...(outcome.images !== undefined && { images: outcome.images }),
    ...(outcome.audioMs !== undefined && { audio_ms: outcome.audioMs }),
    units: call.cost,
    queued_ms: call.queuedMs,
    started_at: call.startedAt,
    first_byte_ms: outcome.firstByteMs,
    ...(call.alias !== undefined && { alias: call.alias }),
    ...(call.attempt && call.attempt.passedOver.length > 0 && { passed_over: [...call.attempt.passedOver] }),
    // The start is rounded up and the end down, so that consecutive calls never seem to hold the same units.
    duration_ms: Math.max(call.queuedMs, Math.floor(call.elapsedMs())),
  };
}
