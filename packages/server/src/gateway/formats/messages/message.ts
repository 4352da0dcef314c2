import type { ReportedUsage } from "../../usage/reported-usage.ts";
import { type Fields, toRecord } from "../fields.ts";

/** Returns the fields at the beginning of a message. */
export function createMessageHead(requestId: string, model: string) {
  return { id: `msg_${requestId}`, type: "message", role: "assistant", model };
}

/** Returns the text of a refusal; empty without one. */
export function readRefusal(part: Readonly<Fields> | undefined): string {
  return typeof part?.refusal === "string" ? part.refusal : "";
}

/** Returns Anthropic's stop reason. Some backends report the matched stop sequence, which is returned too. */
export function toStopReason(finishReason: string | null, choice: object | undefined, isRefused: boolean) {
  const { stop_reason: text } = (choice ?? {}) as { stop_reason?: unknown };
  if (finishReason === "length") return { stop_reason: "max_tokens", stop_sequence: null };
  if (finishReason === "tool_calls") return { stop_reason: "tool_use", stop_sequence: null };
  if (finishReason === "content_filter" || isRefused) return { stop_reason: "refusal", stop_sequence: null };
  if (typeof text === "string") return { stop_reason: "stop_sequence", stop_sequence: text };
  return { stop_reason: "end_turn", stop_sequence: null };
}

/**
 * Returns the usage of a message. Anthropic's clients require the cached tokens, so they are 0 if the backend does not
 * report them.
 */
export function toAnthropicUsage({ prompt, completion, cached, given }: ReportedUsage) {
  const { cache_write_tokens: count } = toRecord(given.prompt_tokens_details);
  const written = typeof count === "number" ? count : 0;
  return {
    input_tokens: Math.max(0, prompt - (cached ?? 0) - written),
    cache_read_input_tokens: cached ?? 0,
    cache_creation_input_tokens: written,
    output_tokens: completion,
  };
}
