import { toExactJson } from "../../../platform/core/exact-json.ts";
import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import { ANTHROPIC_REASONING } from "../../formats/reasoning-details.ts";
import { readUsage } from "./usage.ts";

/** Returns a complete answer of Anthropic's API as a chat completion. What is no message is returned unchanged. */
export function readMessage(body: Fields): Fields {
  const { content, stop_reason, stop_sequence, usage } = body;
  if (!Array.isArray(content)) return body;
  const blocks = content.map(toRecord);
  const textsOf = (type: string, field: string) =>
    blocks.filter((block) => block.type === type).map((block) => String(block[field] ?? ""));
  const texts = textsOf("text", "text");
  const thoughts = textsOf("thinking", "thinking");
  const details = blocks.flatMap((block, index) => toReasoningDetail(block, index) ?? []);
  const calls = blocks.filter(({ type }) => type === "tool_use").map(toToolCall);
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
        ...toEnd(stop_reason, stop_sequence),
      },
    ],
    ...omitNullish({ usage: readUsage(usage) }),
  };
}

/** Returns why an answer ended, and the stop sequence that was met. */
export function toEnd(reason: unknown, sequence: unknown): Fields {
  return { finish_reason: reason ?? null, ...(typeof sequence === "string" && { stop_reason: sequence }) };
}

function toReasoningDetail({ type, thinking, signature, data }: Fields, index: number): Fields | null {
  if (type === "redacted_thinking") return { type: "reasoning.encrypted", data, format: ANTHROPIC_REASONING, index };
  if (type !== "thinking") return null;
  return { type: "reasoning.text", text: thinking, signature, format: ANTHROPIC_REASONING, index };
}

function toToolCall({ id, name, input }: Fields): Fields {
  return { id, type: "function", function: { name, arguments: toExactJson(input ?? {}) } };
}
