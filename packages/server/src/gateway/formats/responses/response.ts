import type { AppError } from "../../../core/errors/index.ts";
import { type ReportedUsage, readReasoningTokens, readTotal } from "../../reported-usage.ts";
import type { CompletionMeta } from "../chunks.ts";
import { type Fields, omitNullish } from "../fields.ts";

/** An item in the output of a response. */
export type OutputItem = Fields & { type: string; id: string; status?: string };
/** The status of a response, why it is incomplete, and its error. */
export type ResponseOutcome = {
  status: "in_progress" | "completed" | "incomplete" | "failed";
  reason?: string;
  error?: AppError;
};

/** Builds the response object around the output items. */
export function toResponse(
  request: Fields,
  { created, model }: CompletionMeta,
  requestId: string,
  output: readonly OutputItem[],
  { status, reason, error }: ResponseOutcome,
  usage: ReportedUsage | null,
): Fields {
  return {
    id: `resp_${requestId}`,
    object: "response",
    created_at: created,
    completed_at: status === "completed" ? created : null,
    status,
    error: error ? { code: error.code, message: error.message } : null,
    incomplete_details: reason ? { reason } : null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: null,
    model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: (request.reasoning as Fields | undefined)?.effort ?? null, summary: null },
    background: false,
    store: false,
    service_tier: "default",
    temperature: request.temperature ?? 1,
    top_p: request.top_p ?? 1,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    top_logprobs: request.top_logprobs ?? 0,
    text: { format: (request.text as Fields | undefined)?.format ?? { type: "text" } },
    tool_choice: request.tool_choice ?? "auto",
    tools: request.tools ?? [],
    truncation: "disabled",
    metadata: request.metadata ?? {},
    user: request.user ?? null,
    usage: usage && toResponsesUsage(usage),
  };
}

/** An output item with the model's reasoning. */
export function toReasoningItem(requestId: string, index: number, text: string): OutputItem {
  return { type: "reasoning", id: `rs_${requestId}_${index}`, summary: [{ type: "summary_text", text }] };
}

/** An output item with the model's text. */
export function toMessageItem(
  requestId: string,
  index: number,
  text: string,
  status: string,
  logprobs?: unknown,
): OutputItem {
  const content = [{ type: "output_text", text, annotations: [], ...omitNullish({ logprobs }) }];
  return { type: "message", id: `msg_${requestId}_${index}`, role: "assistant", status, content };
}

/** A tool call of the model; `arguments` is JSON text. */
export type FunctionCall = { callId: string; name: string; arguments: string };

/** An output item with a tool call. */
export function toFunctionCallItem(requestId: string, index: number, call: FunctionCall, status: string): OutputItem {
  const { callId, name, arguments: text } = call;
  return { type: "function_call", id: `fc_${requestId}_${index}`, call_id: callId, name, arguments: text, status };
}

/** The status of a response, from the model's finish reason. */
export function toResponseOutcome(finishReason: string | null): ResponseOutcome {
  if (finishReason === "length") return { status: "incomplete", reason: "max_output_tokens" };
  if (finishReason === "content_filter") return { status: "incomplete", reason: "content_filter" };
  return { status: "completed" };
}

/** Usage of a response. Its clients require the details, so that these are 0 where the backend does not say. */
function toResponsesUsage({ prompt, completion, cached, given }: ReportedUsage): Fields {
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached ?? 0 },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: readReasoningTokens(given) ?? 0 },
    total_tokens: readTotal(given) ?? prompt + completion,
  };
}
