/** Why a model stopped, in OpenAI's words. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

/** The reasons that backends give, in their own words too. */
const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool_calls",
  content_filter: "content_filter",
  function_call: "function_call",
  eos: "stop",
  eos_token: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_length: "length",
  tool_use: "tool_calls",
};

/** A choice's reason, and the backend's own word where it differs. A backend that failed says `error`. */
export type ChoiceEnd = { finish_reason: FinishReason | "error" | null; native_finish_reason?: string };

/** Returns why a choice ended; null while it has not. Reasons that nobody knows become `stop`: strict clients accept no others. */
export function readFinishReason(value: unknown): ChoiceEnd {
  if (typeof value !== "string" || value === "") return { finish_reason: null };
  if (value === "error") return { finish_reason: "error" };
  const reason = REASONS[value] ?? "stop";
  return { finish_reason: reason, ...(reason !== value && { native_finish_reason: value }) };
}
