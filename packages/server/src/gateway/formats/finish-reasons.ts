/** Why a model stopped, in OpenAI's words. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

/** The reasons that backends send, in lower case. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries<FinishReason>({
    stop: "stop",
    length: "length",
    tool_calls: "tool_calls",
    content_filter: "content_filter",
    function_call: "function_call",
    eos: "stop",
    eos_token: "stop",
    end_turn: "stop",
    stop_sequence: "stop",
    incomplete: "length",
    max_length: "length",
    max_new_tokens: "length",
    max_output_tokens: "length",
    max_tokens: "length",
    model_context_window_exceeded: "length",
    model_length: "length",
    tool_call: "tool_calls",
    tool_use: "tool_calls",
    blocklist: "content_filter",
    image_prohibited_content: "content_filter",
    image_recitation: "content_filter",
    image_safety: "content_filter",
    content_filtered: "content_filter",
    guardrail_intervened: "content_filter",
    prohibited_content: "content_filter",
    recitation: "content_filter",
    refusal: "content_filter",
    safety: "content_filter",
    sensitive: "content_filter",
    spii: "content_filter",
  }),
);
/** What Google's API and Bedrock say of an answer that a model got wrong, beside the word of other backends for a failure. */
const FAILURES: ReadonlySet<string> = new Set([
  "error",
  "malformed_function_call",
  "malformed_model_output",
  "malformed_tool_use",
  "unexpected_tool_call",
]);
/** Values that some backends send instead of null. */
const NO_REASON: ReadonlySet<string> = new Set(["", "null", "none"]);

/** A choice's finish reason, and the backend's own word if it differs. `error` means that the backend failed. */
export type ChoiceEnd = { finish_reason: FinishReason | "error" | null; native_finish_reason?: string };

/** Returns why a choice ended; null if it has not. Unknown reasons become `stop`, since strict clients accept no others. */
export function readFinishReason(value: unknown): ChoiceEnd {
  if (typeof value !== "string") return { finish_reason: null };
  const word = value.trim().toLowerCase();
  if (NO_REASON.has(word)) return { finish_reason: null };
  if (FAILURES.has(word)) return { finish_reason: "error" };
  const reason = REASONS.get(word) ?? "stop";
  return { finish_reason: reason, ...(reason !== value && { native_finish_reason: value }) };
}

/**
 * Returns the end of a choice that called tools. Agents run the tools only if the reason is `tool_calls`, which not every
 * backend sends. A reason that says that the answer was cut off or filtered is kept.
 */
export function toCallingEnd(end: ChoiceEnd): ChoiceEnd {
  const { finish_reason: reason } = end;
  if (reason === null) return { finish_reason: "tool_calls" };
  if (reason !== "stop" && reason !== "function_call") return end;
  return { finish_reason: "tool_calls", native_finish_reason: end.native_finish_reason ?? reason };
}
