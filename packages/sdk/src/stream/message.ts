import type {
  AssistantMessage,
  AssistantMessageDelta,
  ChatCompletion,
  FinishReason,
  ToolCall,
  Usage,
} from "../generated/schemas.ts";

/** A choice whose `finish_reason` is null until it has ended. */
type Choice = { index: number; message: AssistantMessage; finish_reason: FinishReason | null };
/** A completion of which some chunks are there. */
export type PartialCompletion = Pick<ChatCompletion, "id" | "object" | "created" | "model" | "usage"> & {
  choices: Choice[];
};
/** A delta of a tool call. Some backends leave out its index. */
type ToolCallDelta = Partial<NonNullable<AssistantMessageDelta["tool_calls"]>[number]>;

/** A chunk of a streamed chat completion or text completion. */
export type Chunk = {
  id: string;
  created: number;
  model: string;
  /** Some backends send chunks without choices. */
  choices?: { index: number; finish_reason?: FinishReason | null; delta?: AssistantMessageDelta; text?: string }[];
  usage?: Usage | null;
};

/** Adds a chunk to the completion accumulated so far, in place, and returns the completion. */
export function addChunk(accumulated: PartialCompletion | undefined, chunk: Chunk): PartialCompletion {
  const { id, created, model } = chunk;
  const completion: PartialCompletion = accumulated ?? {
    id,
    created,
    model,
    object: "chat.completion",
    choices: [],
    usage: NO_USAGE,
  };
  if (chunk.usage) completion.usage = chunk.usage;
  for (const { index, delta, text, finish_reason } of chunk.choices ?? []) {
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
  const choice: Choice = { index, message: { role: "assistant", content: null }, finish_reason: null };
  choices.push(choice);
  return choice;
}

function addDelta(message: Choice["message"], delta: AssistantMessageDelta): void {
  if (delta.role) message.role = delta.role;
  if (delta.content) message.content = (message.content ?? "") + delta.content;
  if (delta.reasoning_content) message.reasoning_content = (message.reasoning_content ?? "") + delta.reasoning_content;
  for (const toolDelta of delta.tool_calls ?? []) {
    message.tool_calls ??= [];
    addToolCallDelta(message.tool_calls, toolDelta);
  }
}

/** Deltas belong to a call by `index`, or by `id` from backends that send no index; one with neither continues the last call. */
function addToolCallDelta(calls: ToolCall[], toolDelta: ToolCallDelta): void {
  const at = toolDelta.index ?? (!toolDelta.id ? calls.length - 1 : calls.findIndex(({ id }) => id === toolDelta.id));
  const position = at < 0 ? calls.length : at;
  const call = calls[position] ?? { id: "", type: "function", function: { name: "", arguments: "" } };
  calls[position] = call;
  if (toolDelta.id) call.id = toolDelta.id;
  if (toolDelta.function?.name) call.function.name = toolDelta.function.name;
  call.function.arguments += toolDelta.function?.arguments ?? "";
}

/** A tool call; `parsed` holds its arguments, or undefined when they are not JSON. */
export type ParsedToolCall = { id: string; name: string; arguments: string; parsed: unknown };

/** Returns the tool calls of a message, with their arguments parsed. */
export function toolCallsOf(message: Choice["message"] | undefined): ParsedToolCall[] {
  return (message?.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
    id,
    name,
    arguments: text,
    parsed: parseArguments(text),
  }));
}

/** Parses the arguments of a tool call: an empty object for no text, undefined for invalid JSON. */
function parseArguments(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
