import type { AnswerChoice } from "../answers.ts";
import type { Fields } from "../fields.ts";
import type { AnswerFormat } from "../format.ts";
import {
  type OutputItem,
  toFunctionCallItem,
  toMessageItem,
  toReasoningItem,
  toResponse,
  toResponseOutcome,
} from "./response.ts";
import { createResponseEvents } from "./stream.ts";

/** OpenAI's Responses format without stored state. */
export function createResponsesFormat(request: Fields, requestId: string): AnswerFormat {
  return {
    buffered(answer, usage) {
      const [choice] = answer.choices;
      const output = choice ? toOutputItems(choice, requestId) : [];
      return toResponse(request, answer, requestId, output, toResponseOutcome(choice?.finish_reason ?? null), usage);
    },
    stream: (meta) => createResponseEvents(request, requestId, meta),
  };
}

function toOutputItems({ message, finish_reason, ...choice }: AnswerChoice, requestId: string): OutputItem[] {
  const items: OutputItem[] = [];
  const { reasoning_content, content, tool_calls = [] } = message ?? { content: null };
  const { status } = toResponseOutcome(finish_reason);
  const { logprobs } = choice as { logprobs?: { content?: unknown } | null };
  if (reasoning_content) items.push(toReasoningItem(requestId, items.length, reasoning_content));
  if (content || tool_calls.length === 0)
    items.push(toMessageItem(requestId, items.length, content ?? "", status, logprobs?.content));
  for (const { id, function: toolFunction } of tool_calls)
    items.push(toFunctionCallItem(requestId, items.length, { callId: id, ...toolFunction }, "completed"));
  return items;
}
