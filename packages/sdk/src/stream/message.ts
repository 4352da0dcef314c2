import type { ChatCompletion, ChatCompletionChunk, Schemas, ToolCall } from "../types.ts";

type Choice = ChatCompletion["choices"][number];
type Delta = ChatCompletionChunk["choices"][number]["delta"];
/** A delta of a tool call: the first has id and name, each has a part of the arguments. */
type ToolDelta = { index?: number; id?: string; type?: string; function?: { name?: string; arguments?: string } };

/** A chunk of a streamed chat completion or text completion. */
export type Chunk = {
  id: string;
  created: number;
  model: string;
  choices: { index: number; finish_reason?: string | null; delta?: Delta; text?: string }[];
  usage?: Schemas["Usage"] | null;
};

/** Adds a chunk to the completion accumulated so far, in place, and returns the completion. */
export function added(whole: ChatCompletion | undefined, chunk: Chunk): ChatCompletion {
  const { id, created, model } = chunk;
  const completion = whole ?? { id, created, model, object: "chat.completion", choices: [], usage: NO_USAGE };
  if (chunk.usage) completion.usage = chunk.usage;
  for (const { index, delta, text, finish_reason } of chunk.choices) {
    const choice = choiceAt(completion.choices, index);
    if (finish_reason) choice.finish_reason = finish_reason;
    addDelta(choice.message, delta ?? { content: text ?? null });
  }
  return completion;
}

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

function choiceAt(choices: Choice[], index: number): Choice {
  const found = choices.find((choice) => choice.index === index);
  if (found) return found;
  const choice: Choice = { index, message: { role: "assistant", content: null }, finish_reason: "" };
  choices.push(choice);
  return choice;
}

function addDelta(message: Choice["message"], delta: Delta): void {
  if (delta.role) message.role = delta.role;
  if (delta.content) message.content = (message.content ?? "") + delta.content;
  if (delta.reasoning_content) message.reasoning_content = (message.reasoning_content ?? "") + delta.reasoning_content;
  for (const piece of (delta.tool_calls as ToolDelta[] | null | undefined) ?? []) {
    message.tool_calls ??= [];
    addPiece(message.tool_calls, piece);
  }
}

/** Deltas belong to a call by `index`, or by `id` from backends that send no index. */
function addPiece(calls: ToolCall[], piece: ToolDelta): void {
  const at = piece.index ?? (piece.id === undefined ? calls.length - 1 : calls.findIndex(({ id }) => id === piece.id));
  const place = at < 0 ? calls.length : at;
  const call = calls[place] ?? { id: "", type: "function", function: { name: "", arguments: "" } };
  calls[place] = call;
  if (piece.id) call.id = piece.id;
  if (piece.type) call.type = piece.type;
  if (piece.function?.name) call.function.name = piece.function.name;
  call.function.arguments += piece.function?.arguments ?? "";
}

/** A tool call; `parsed` holds its arguments, or undefined when they are not JSON. */
export type ParsedToolCall = { id: string; name: string; arguments: string; parsed: unknown };

/** Returns the tool calls of a message, with their arguments parsed. */
export function toolCallsOf(message: Choice["message"] | undefined): ParsedToolCall[] {
  return (message?.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
    id,
    name,
    arguments: text,
    parsed: jsonOf(text),
  }));
}

/** Parses the arguments of a tool call: an empty object for no text, undefined for invalid JSON. */
function jsonOf(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
