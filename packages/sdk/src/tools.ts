/**
 * Lets a model call functions until it has an answer.
 *
 * ```ts
 * import { runTools } from "@feather/sdk/tools";
 *
 * const { content } = await runTools(feather, { model: "feather/demo", messages: [{ role: "user", content: "Weather in Oslo?" }] }, [
 *   {
 *     name: "weather",
 *     description: "The weather of a city",
 *     parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
 *     run: () => ({ degrees: 4 }),
 *   },
 * ]);
 * ```
 */
import type { Feather } from "./client.ts";
import { type ParsedToolCall, toolCallsOf } from "./stream/message.ts";
import type { ChatCompletionRequest, RequestOptions, Schemas } from "./types.ts";

export { type ParsedToolCall, toolCallsOf } from "./stream/message.ts";

/** A function that a model may call. */
export type Tool = {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: Record<string, unknown>;
  /** Does it. What it answers goes to the model as JSON, texts as they are; an error as its message. */
  run(input: unknown, signal?: AbortSignal): unknown;
};

/** How the conversation went. */
export type ToolRun = {
  /** What the model said at last. */
  content: string | null;
  /** The whole conversation, to go on with. */
  messages: Schemas["ChatMessage"][];
  /** Calls that were made, in order. */
  calls: ParsedToolCall[];
};

/** Options of a run: those of each request, and how often the model may ask for tools. */
export type ToolRunOptions = Omit<RequestOptions, "idempotencyKey"> & {
  /** 10 if left out. */ maxRounds?: number | undefined;
};

/** Calls the tools that the model asks for and tells it what they answered, until it asks for none. */
export async function runTools(
  feather: Pick<Feather, "chat">,
  request: ChatCompletionRequest,
  tools: readonly Tool[],
  { maxRounds = 10, ...options }: ToolRunOptions = {},
): Promise<ToolRun> {
  const { messages: asked, ...rest } = request;
  const messages = [...asked];
  const calls: ParsedToolCall[] = [];
  const offered = tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  for (let round = 0; round <= maxRounds; round++) {
    const answer = await feather.chat.completions.create({ ...rest, messages, tools: offered, stream: false }, options);
    const message = answer.choices[0]?.message;
    if (message) messages.push(message as Schemas["ChatMessage"]);
    const wanted = toolCallsOf(message);
    if (wanted.length === 0) return { content: message?.content ?? null, messages, calls };
    calls.push(...wanted);
    const answers = await Promise.all(wanted.map((call) => answerOf(call, tools, options.signal)));
    messages.push(...answers);
  }
  throw new RangeError(`The model asked for tools more than ${maxRounds} times. Raise maxRounds if it should go on.`);
}

async function answerOf(
  call: ParsedToolCall,
  tools: readonly Tool[],
  signal: AbortSignal | undefined,
): Promise<Schemas["ChatMessage"]> {
  return { role: "tool", tool_call_id: call.id, content: await outcome(call, tools, signal) };
}

/** What the model is told. A mistake of its own is told too, so that it can do better. */
async function outcome(call: ParsedToolCall, tools: readonly Tool[], signal: AbortSignal | undefined): Promise<string> {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) return `Error: there is no tool named ${call.name}.`;
  if (call.parsed === undefined) return "Error: the arguments are not JSON.";
  try {
    const answer = await tool.run(call.parsed, signal);
    return typeof answer === "string" ? answer : (JSON.stringify(answer) ?? "");
  } catch (error) {
    signal?.throwIfAborted();
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}
