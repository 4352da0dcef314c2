import { toExactJson } from "../../../platform/core/exact-json.ts";
import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { ANTHROPIC_REASONING } from "../../formats/reasoning-details.ts";
import { readUsage } from "./usage.ts";

/** Returns a complete answer of Converse as a chat completion. What is no message is returned unchanged. */
export function readConverse(body: Fields): Fields {
  const { content } = toRecord(toRecord(body.output).message);
  if (!Array.isArray(content)) return body;
  const blocks = content.map(toRecord);
  const texts = blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  const thoughts = blocks.flatMap((block) => toThought(block) ?? []);
  const details = blocks.flatMap((block, index) => toDetail(block, index) ?? []);
  const calls = blocks.flatMap(({ toolUse }) => (toolUse === undefined ? [] : [toToolCall(toRecord(toolUse))]));
  const message = omitNullish({
    role: "assistant",
    reasoning_content: thoughts.length > 0 ? thoughts.join("\n") : undefined,
    reasoning_details: details.length > 0 ? details : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
  return {
    choices: [
      {
        index: 0,
        message: { ...message, content: texts.length > 0 ? texts.join("") : null },
        finish_reason: body.stopReason ?? null,
      },
    ],
    ...omitNullish({ usage: readUsage(body.usage) }),
  };
}

function toThought({ reasoningContent }: Fields): string | null {
  const { text } = toRecord(toRecord(reasoningContent).reasoningText);
  return typeof text === "string" ? text : null;
}

/** Returns reasoning that is signed or encrypted, which only Anthropic's models do; null for other blocks. */
function toDetail({ reasoningContent }: Fields, index: number): Fields | null {
  const { reasoningText, redactedContent: data } = toRecord(reasoningContent);
  if (typeof data === "string") return { type: "reasoning.encrypted", data, format: ANTHROPIC_REASONING, index };
  const { text, signature } = toRecord(reasoningText);
  if (typeof signature !== "string") return null;
  return { type: "reasoning.text", text, signature, format: ANTHROPIC_REASONING, index };
}

function toToolCall({ toolUseId: id, name, input }: Fields): Fields {
  return { id, type: "function", function: { name, arguments: toExactJson(input ?? {}) } };
}
