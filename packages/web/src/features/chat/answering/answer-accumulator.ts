import type { ChatCompletionChunk } from "@feather/sdk";
import type { ToolCall } from "../conversation/types.ts";

/** Text, reasoning and tool calls of an answer received so far; `finish` is the backend's finish reason. */
export type AnswerContent = { text: string; reasoning: string; toolCalls: readonly ToolCall[]; finish: string | null };
type Delta = {
  content?: string | null;
  reasoning_content?: string | null;
  reasoning?: unknown;
  tool_calls?: unknown;
};
type CallDelta = { index?: number; id?: string; function?: { name?: string; arguments?: string } };

const OPENING_TAG = "<think>";
const CLOSING_TAG = "</think>";

/** Assembles an answer from stream chunks; `prefix` is text that the answer already has when it is continued. */
export function createAnswerAccumulator(prefix = "") {
  let raw = "";
  let reasoningSoFar = "";
  let finish: string | null = null;
  const calls: ToolCall[] = [];

  function addCalls(deltas: unknown): void {
    if (!Array.isArray(deltas)) return;
    for (const delta of deltas as CallDelta[]) {
      const index = typeof delta.index === "number" ? delta.index : calls.length;
      if (index < 0 || index > 127) continue;
      const current = calls[index] ?? { id: `call_${index}`, name: "", arguments: "" };
      calls[index] = {
        id: delta.id ?? current.id,
        name: current.name + (delta.function?.name ?? ""),
        arguments: current.arguments + (delta.function?.arguments ?? ""),
      };
    }
  }

  return {
    /** Adds a chunk. Returns whether it carried text, reasoning or a tool call. */
    add(chunk: ChatCompletionChunk): boolean {
      const [choice] = chunk.choices;
      if (!choice) return false;
      const delta: Delta = choice.delta ?? {};
      const reasoning = delta.reasoning_content ?? (typeof delta.reasoning === "string" ? delta.reasoning : "");
      raw += delta.content ?? "";
      reasoningSoFar += reasoning;
      addCalls(delta.tool_calls);
      finish = choice.finish_reason ?? finish;
      return Boolean(delta.content || reasoning || delta.tool_calls);
    },
    content(): AnswerContent {
      const { text, reasoning } = splitThinking(raw);
      return { text: prefix + text, reasoning: reasoningSoFar + reasoning, toolCalls: calls.filter(Boolean), finish };
    },
  };
}

/** Separates a leading `<think>` block from the text. An unclosed block counts as reasoning. */
export function splitThinking(raw: string): { text: string; reasoning: string } {
  const trimmed = raw.trimStart();
  if (!trimmed.startsWith(OPENING_TAG))
    return OPENING_TAG.startsWith(trimmed) && trimmed !== ""
      ? { text: "", reasoning: "" }
      : { text: raw, reasoning: "" };
  const end = trimmed.indexOf(CLOSING_TAG);
  if (end === -1) return { text: "", reasoning: withoutPartialTag(trimmed.slice(OPENING_TAG.length), CLOSING_TAG) };
  return {
    text: trimmed.slice(end + CLOSING_TAG.length).trimStart(),
    reasoning: trimmed.slice(OPENING_TAG.length, end).trim(),
  };
}

/** Removes a partially received tag from the end of a text. */
function withoutPartialTag(text: string, tag: string): string {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return text.slice(0, -length).trimStart();
  return text.trimStart();
}
