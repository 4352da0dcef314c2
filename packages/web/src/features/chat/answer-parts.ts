import type { ChatCompletionChunk } from "@feather/sdk";
import type { ToolCall } from "./types.ts";

/** Text, reasoning and tool calls of an answer received so far; `finish` is the backend's finish reason. */
export type AnswerParts = { text: string; reasoning: string; toolCalls: readonly ToolCall[]; finish: string | null };
type Delta = {
  content?: string | null;
  reasoning_content?: string | null;
  reasoning?: unknown;
  tool_calls?: unknown;
};
type CallDelta = { index?: number; id?: string; function?: { name?: string; arguments?: string } };

const OPEN = "<think>";
const CLOSE = "</think>";

/** Assembles an answer from stream chunks; `prefix` is text that the answer already has when it is continued. */
export function createCollector(before = "") {
  let raw = "";
  let thought = "";
  let finish: string | null = null;
  const calls: ToolCall[] = [];

  function addCalls(deltas: unknown): void {
    if (!Array.isArray(deltas)) return;
    for (const delta of deltas as CallDelta[]) {
      const at = typeof delta.index === "number" ? delta.index : calls.length;
      if (at < 0 || at > 127) continue;
      const known = calls[at] ?? { id: `call_${at}`, name: "", arguments: "" };
      calls[at] = {
        id: delta.id ?? known.id,
        name: known.name + (delta.function?.name ?? ""),
        arguments: known.arguments + (delta.function?.arguments ?? ""),
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
      thought += reasoning;
      addCalls(delta.tool_calls);
      finish = choice.finish_reason ?? finish;
      return Boolean(delta.content || reasoning || delta.tool_calls);
    },
    parts(): AnswerParts {
      const { text, reasoning } = splitThinking(raw);
      return { text: before + text, reasoning: thought + reasoning, toolCalls: calls.filter(Boolean), finish };
    },
  };
}

/** Separates a leading `<think>` block from the text. An unclosed block counts as reasoning. */
export function splitThinking(raw: string): { text: string; reasoning: string } {
  const trimmed = raw.trimStart();
  if (!trimmed.startsWith(OPEN))
    return OPEN.startsWith(trimmed) && trimmed !== "" ? { text: "", reasoning: "" } : { text: raw, reasoning: "" };
  const end = trimmed.indexOf(CLOSE);
  if (end === -1) return { text: "", reasoning: withoutBeginning(trimmed.slice(OPEN.length), CLOSE) };
  return {
    text: trimmed.slice(end + CLOSE.length).trimStart(),
    reasoning: trimmed.slice(OPEN.length, end).trim(),
  };
}

/** Removes a partially received tag from the end of a text. */
function withoutBeginning(text: string, tag: string): string {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return text.slice(0, -length).trimStart();
  return text.trimStart();
}
