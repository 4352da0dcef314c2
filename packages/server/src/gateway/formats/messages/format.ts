import type { AnswerChoice } from "../answers.ts";
import { createCallerFields } from "../caller-fields.ts";
import type { Fields } from "../fields.ts";
import type { AnswerFormat } from "../format.ts";
import { rebuildReasoningDetails, toHiddenData } from "../reasoning-details.ts";
import { toInput } from "./input.ts";
import { createMessageHead, readRefusal, toAnthropicUsage, toStopReason } from "./message.ts";
import { createMessageEvents } from "./stream.ts";

const toCallerFields = createCallerFields("input_schema", "output_config.format.schema", {
  chat_template_kwargs: "thinking",
  reasoning_effort: "output_config.effort",
  response_format: "output_config.format",
  stop: "stop_sequences",
  user: "metadata.user_id",
});

/** Creates Anthropic's Messages format. `promptTokens` estimates the input tokens for the first event of a stream. */
export function createMessagesFormat(requestId: string, promptTokens: () => number): AnswerFormat {
  return {
    buffered({ choices, model }, usage) {
      const [choice] = choices;
      return {
        ...createMessageHead(requestId, model),
        content: choice ? toContentBlocks(choice) : [],
        ...toStopReason(choice?.finish_reason ?? null, choice, readRefusal(choice?.message) !== ""),
        usage: toAnthropicUsage(usage),
      };
    },
    stream: (meta) => createMessageEvents(requestId, meta, promptTokens),
    toCallerFields,
  };
}

function toReasoningBlock({ type, text, signature, ...others }: Fields): Fields {
  if (type === "reasoning.encrypted") return { type: "redacted_thinking", data: toHiddenData(others) };
  return { type: "thinking", thinking: text ?? "", signature: signature ?? "" };
}

/**
 * Returns the blocks of an answer. A refusal becomes text. White space next to tool calls becomes no block, since
 * Anthropic's API rejects such blocks.
 */
function toContentBlocks({ message: answerMessage }: AnswerChoice): Fields[] {
  const blocks: Fields[] = [];
  const { reasoning_content, content, tool_calls = [] } = answerMessage ?? { content: null };
  const text = (content ?? "") + readRefusal(answerMessage);
  const isText = tool_calls.length > 0 ? text.trim() !== "" : text !== "";
  const details = rebuildReasoningDetails(answerMessage?.reasoning_details);
  const hasSignedText = details?.some(({ type }) => type === "reasoning.text") === true;
  if (reasoning_content && !hasSignedText)
    blocks.push({ type: "thinking", thinking: reasoning_content, signature: "" });
  if (details !== undefined) blocks.push(...details.map(toReasoningBlock));
  if (isText) blocks.push({ type: "text", text });
  for (const { id, function: toolFunction } of tool_calls)
    blocks.push({ type: "tool_use", id, name: toolFunction.name, input: toInput(toolFunction.arguments) });
  return blocks;
}
