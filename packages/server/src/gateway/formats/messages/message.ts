import type { ReportedUsage } from "../../reported-usage.ts";
import type { Fields } from "../fields.ts";

/** The fields with which a message begins. */
export function createMessageHead(requestId: string, model: string) {
  return { id: `msg_${requestId}`, type: "message", role: "assistant", model };
}

/** The text with which a model refused to answer; empty where it did not. */
export function readRefusal(part: Readonly<Fields> | undefined): string {
  return typeof part?.refusal === "string" ? part.refusal : "";
}

/** Anthropic's stop reason. Some backends report the stop sequence that matched. */
export function toStopReason(finishReason: string | null, choice: object | undefined, isRefused: boolean) {
  const { stop_reason: text } = (choice ?? {}) as { stop_reason?: unknown };
  if (finishReason === "length") return { stop_reason: "max_tokens", stop_sequence: null };
  if (finishReason === "tool_calls") return { stop_reason: "tool_use", stop_sequence: null };
  if (finishReason === "content_filter" || isRefused) return { stop_reason: "refusal", stop_sequence: null };
  if (typeof text === "string") return { stop_reason: "stop_sequence", stop_sequence: text };
  return { stop_reason: "end_turn", stop_sequence: null };
}

/** Usage of a message. Its clients require the cached tokens, so that these are 0 where the backend does not say. */
export function toAnthropicUsage({ prompt, completion, cached }: ReportedUsage) {
  return {
    input_tokens: Math.max(0, prompt - (cached ?? 0)),
    cache_read_input_tokens: cached ?? 0,
    cache_creation_input_tokens: 0,
    output_tokens: completion,
  };
}
