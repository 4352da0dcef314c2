import type { Clock } from "../../../platform/core/clock.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import type { AnswerChoice } from "../answers.ts";
import { createCallerFields } from "../caller-fields.ts";
import { type Fields, toArguments } from "../fields.ts";
import type { AnswerFormat } from "../format.ts";
import { listCustomTools } from "./custom-tools.ts";
import {
  type MessagePart,
  type OutputItem,
  toCallItem,
  toContentPart,
  toMessageItem,
  toReasoningItem,
  toResponse,
  toResponseOutcome,
} from "./response.ts";
import { createResponseEvents } from "./stream.ts";

const toCallerFields = createCallerFields("parameters", "text.format.schema", {
  logprobs: "top_logprobs",
  max_tokens: "max_output_tokens",
  messages: "input",
  reasoning_effort: "reasoning.effort",
  response_format: "text.format",
});

/** Creates OpenAI's Responses format without stored state. */
export function createResponsesFormat(request: Fields, requestId: string, clock: Clock): AnswerFormat {
  const customTools = listCustomTools(request.tools);
  const now = () => Math.floor(clock.now().getTime() / SECOND_MS);
  return {
    buffered(answer, usage) {
      const [choice] = answer.choices;
      const output = choice ? toOutputItems(choice, requestId, customTools) : [];
      const outcome = { ...toResponseOutcome(choice?.finish_reason ?? null), completedAt: now() };
      return toResponse(request, answer, requestId, output, outcome, usage);
    },
    stream: (meta) => createResponseEvents({ request, requestId, customTools, now }, meta),
    toCallerFields,
  };
}

/** Returns the items of an answer. White space next to tool calls becomes no message. */
function toOutputItems(
  { message, finish_reason, ...choice }: AnswerChoice,
  requestId: string,
  customTools: ReadonlySet<unknown>,
): OutputItem[] {
  const items: OutputItem[] = [];
  const { reasoning_content, tool_calls = [], ...said } = message ?? { content: null };
  const { status } = toResponseOutcome(finish_reason);
  const { logprobs } = choice as { logprobs?: { content?: unknown } | null };
  if (reasoning_content) items.push(toReasoningItem(requestId, items.length, reasoning_content));
  const parts = toParts(said);
  if (tool_calls.length === 0 || parts.some(({ type, text }) => type === "refusal" || text.trim() !== "")) {
    const content = parts.map((part) => toContentPart(part, logprobs?.content));
    items.push(toMessageItem(requestId, items.length, content, status));
  }
  for (const {
    id,
    function: { name, arguments: text },
  } of tool_calls) {
    const isCustom = customTools.has(name);
    const isKept = isCustom || status === "incomplete";
    const call = { callId: id, name, arguments: isKept ? text : toArguments(text), isCustom };
    items.push(toCallItem(requestId, items.length, call, status));
  }
  return items;
}

function toParts({ content, refusal }: { content: string | null; refusal?: unknown }): MessagePart[] {
  const parts: MessagePart[] = [];
  const isRefused = typeof refusal === "string" && refusal !== "";
  if (content || !isRefused) parts.push({ type: "output_text", text: content ?? "" });
  if (isRefused) parts.push({ type: "refusal", text: refusal });
  return parts;
}
