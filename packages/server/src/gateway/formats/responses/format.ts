import type { AnsweredChoice } from "../answers.ts";
import type { Fields } from "../fields.ts";
import type { AnswerFormat } from "../format.ts";
import { endingOf, functionCallItem, type Item, messageItem, reasoningItem, responseObject } from "./response.ts";
import { createResponseEvents } from "./stream.ts";

/** OpenAI's Responses format without stored state. */
export function responsesFormat(request: Fields, requestId: string): AnswerFormat {
  return {
    whole(answer, usage) {
      const [choice] = answer.choices;
      const output = choice ? itemsOf(choice, requestId) : [];
      return responseObject(request, answer, requestId, output, endingOf(choice?.finish_reason ?? null), usage);
    },
    stream: (identity) => createResponseEvents(request, requestId, identity),
  };
}

function itemsOf({ message, finish_reason, ...choice }: AnsweredChoice, requestId: string): Item[] {
  const items: Item[] = [];
  const { reasoning_content, content, tool_calls = [] } = message ?? { content: null };
  const { status } = endingOf(finish_reason);
  const { logprobs } = choice as { logprobs?: { content?: unknown } | null };
  if (reasoning_content) items.push(reasoningItem(requestId, items.length, reasoning_content));
  if (content || tool_calls.length === 0)
    items.push(messageItem(requestId, items.length, content ?? "", status, logprobs?.content));
  for (const { id, function: called } of tool_calls)
    items.push(functionCallItem(requestId, items.length, { callId: id, ...called }, "completed"));
  return items;
}
