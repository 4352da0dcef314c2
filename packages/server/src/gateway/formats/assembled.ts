import { isRecord } from "../usage/reported-usage.ts";
import type { ChatDelta, Chunk } from "./chunks.ts";
import type { ToolCallDelta } from "./tool-calls.ts";

type Assembled = { index: number; text: string; message: Record<string, unknown>; [field: string]: unknown };

/**
 * Assembles the chunks of a stream into a buffered answer, for backends that stream although the call did not ask for that.
 */
export function assembleChunks(chunks: readonly Chunk[]): Record<string, unknown> {
  const choices = new Map<number, Assembled>();
  for (const choice of chunks.flatMap((chunk): Chunk["choices"] => chunk.choices)) {
    const { index, delta, text, logprobs, ...others } = choice;
    const assembled: Assembled = choices.get(index) ?? { index, text: "", message: {} };
    choices.set(index, Object.assign(assembled, others));
    if (typeof text === "string") assembled.text += text;
    if (isRecord(delta)) addDelta(assembled.message, delta);
    if (isRecord(logprobs)) assembled.logprobs = addLists(assembled.logprobs, logprobs);
  }
  const [first] = chunks;
  return { ...first, choices: [...choices.values()].sort((a, b) => a.index - b.index) };
}

function addDelta(message: Record<string, unknown>, { tool_calls, ...delta }: ChatDelta): void {
  for (const [name, value] of Object.entries(delta)) {
    const known = message[name];
    message[name] = typeof known === "string" && typeof value === "string" && name !== "role" ? known + value : value;
  }
  if (tool_calls === undefined) return;
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  for (const call of tool_calls) addCall(calls, call);
  message.tool_calls = calls;
}

function addCall(calls: unknown[], { index, function: added, ...others }: ToolCallDelta): void {
  const known = calls[index];
  const earlier = isRecord(known) && isRecord(known.function) ? known.function : {};
  const text = `${typeof earlier.arguments === "string" ? earlier.arguments : ""}${added.arguments}`;
  calls[index] = { ...(isRecord(known) && known), ...others, function: { ...earlier, ...added, arguments: text } };
}

/** Joins lists of the same name. Log probabilities are streamed as parts of lists. */
function addLists(known: unknown, added: Record<string, unknown>): Record<string, unknown> {
  const joined: Record<string, unknown> = isRecord(known) ? known : {};
  for (const [name, value] of Object.entries(added)) {
    const before = joined[name];
    joined[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return joined;
}
