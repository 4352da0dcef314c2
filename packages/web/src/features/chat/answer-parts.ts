import type { ChatCompletionChunk } from "@feather/sdk";
import type { ToolCall } from "./types.ts";

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

/** Puts an answer together from its chunks. */
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
    /** Takes a chunk; says whether it held anything of the answer. */
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

/** Some models think aloud, in tags at the beginning of the text. */
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

/** A text without the beginning of a tag that is just arriving at its end. */
function withoutBeginning(text: string, tag: string): string {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return text.slice(0, -length).trimStart();
  return text.trimStart();
}
