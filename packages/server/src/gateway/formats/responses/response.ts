import type { AppError } from "../../../platform/core/errors/index.ts";
import { type ReportedUsage, readReasoningTokens, readTotal } from "../../usage/reported-usage.ts";
import type { CompletionMeta } from "../chunks.ts";
import { type Fields, omitNullish, toRecord } from "../fields.ts";
import { readCustomInput } from "./custom-tools.ts";

/** An item in the output of a response. */
export type OutputItem = Fields & { type: string; id: string; status?: string };
/** The status of a response, why it is incomplete, and its error. */
export type ResponseOutcome = {
  status: "in_progress" | "completed" | "incomplete" | "failed";
  reason?: string;
  error?: AppError;
  /** When the response was completed, in seconds since 1970. */
  completedAt?: number;
};

/** Returns the response object with the output items. */
export function toResponse(
  request: Fields,
  { created, model }: CompletionMeta,
  requestId: string,
  output: readonly OutputItem[],
  { status, reason, error, completedAt }: ResponseOutcome,
  usage: ReportedUsage | null,
): Fields {
  return {
    id: `resp_${requestId}`,
    object: "response",
    created_at: created,
    completed_at: status === "completed" ? (completedAt ?? created) : null,
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
    reasoning: { effort: toRecord(request.reasoning).effort ?? null, summary: null },
    background: false,
    store: false,
    service_tier: "default",
    temperature: request.temperature ?? 1,
    top_p: request.top_p ?? 1,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    top_logprobs: request.top_logprobs ?? 0,
    text: { format: toRecord(request.text).format ?? { type: "text" } },
    tool_choice: request.tool_choice ?? "auto",
    tools: toOfferedTools(request.tools),
    truncation: "disabled",
    metadata: request.metadata ?? {},
    user: request.user ?? null,
    usage: usage && toResponsesUsage(usage),
  };
}

/** Returns an output item with the model's reasoning. */
export function toReasoningItem(requestId: string, index: number, text: string): OutputItem {
  return { type: "reasoning", id: `rs_${requestId}_${index}`, summary: [{ type: "summary_text", text }] };
}

/** Returns the tools that the model was offered, without those that OpenAI runs itself. */
function toOfferedTools(tools: unknown): unknown[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter((tool) => ["function", "custom"].includes(String(toRecord(tool).type)));
}

/** A part of a message: the model's text, or its refusal to answer. */
export type MessagePart = { type: "output_text" | "refusal"; text: string };

/** Returns a part in the Responses format, with the `logprobs` of its tokens if there are any. */
export function toContentPart({ type, text }: MessagePart, logprobs: unknown): Fields {
  if (type === "refusal") return { type, refusal: text };
  return { type, text, annotations: [], ...omitNullish({ logprobs }) };
}

/** Returns an output item with the model's message. */
export function toMessageItem(
  requestId: string,
  index: number,
  content: readonly Fields[],
  status: string,
): OutputItem {
  return { type: "message", id: `msg_${requestId}_${index}`, role: "assistant", status, content };
}

/** A tool call of the model. `arguments` is JSON text. `isCustom` marks tools that take a text. */
export type FunctionCall = { callId: string; name: string; arguments: string; isCustom: boolean };

/** Returns an output item with a tool call. */
export function toCallItem(requestId: string, index: number, call: FunctionCall, status: string): OutputItem {
  const { callId, name, arguments: text, isCustom } = call;
  return isCustom
    ? {
        type: "custom_tool_call",
        id: `ctc_${requestId}_${index}`,
        call_id: callId,
        name,
        input: readCustomInput(text),
        status,
      }
    : { type: "function_call", id: `fc_${requestId}_${index}`, call_id: callId, name, arguments: text, status };
}

/** Returns the status of a response for the model's finish reason. */
export function toResponseOutcome(finishReason: string | null): ResponseOutcome {
  if (finishReason === "length") return { status: "incomplete", reason: "max_output_tokens" };
  if (finishReason === "content_filter") return { status: "incomplete", reason: "content_filter" };
  return { status: "completed" };
}

/** Returns the usage of a response. Its clients require the details, so they are 0 if the backend does not report them. */
function toResponsesUsage({ prompt, completion, cached, given }: ReportedUsage): Fields {
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached ?? 0, cache_write_tokens: 0 },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: readReasoningTokens(given) ?? 0 },
    total_tokens: readTotal(given) ?? prompt + completion,
  };
}
