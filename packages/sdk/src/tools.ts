/**
 * Lets a model call functions until it returns a final message.
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
import type { ChatCompletionRequest, ChatMessage, ToolCallResult } from "./generated/schemas.ts";
import type { RequestOptions } from "./request-options.ts";
import { type ParsedToolCall, toolCallsOf } from "./stream/message.ts";

export { type ParsedToolCall, toolCallsOf } from "./stream/message.ts";

/** A function that a model may call. */
export type Tool = {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: Record<string, unknown>;
  /** Runs the tool. The model receives the result as JSON, strings unchanged, and errors as their message. */
  run(input: unknown, signal?: AbortSignal): unknown;
};

/** The result of a tool run. */
export type ToolRun = {
  /** Content of the model's final message. */
  content: string | null;
  /** All messages of the conversation, to continue it. */
  messages: ChatMessage[];
  /** Tool calls that were made, in order. */
  calls: ParsedToolCall[];
};

/** Options of a run: those of each request, and the maximum number of rounds. */
export type ToolRunOptions = Omit<RequestOptions, "idempotencyKey"> & {
  /** Maximum number of rounds with tool calls. Default 10. */ maxRounds?: number | undefined;
};

/** Runs the tools that the model calls and sends it the results, until it calls none. Throws `RangeError` after `maxRounds` rounds. */
export async function runTools(
  feather: Pick<Feather, "chat">,
  request: ChatCompletionRequest,
  tools: readonly Tool[],
  { maxRounds = 10, ...options }: ToolRunOptions = {},
): Promise<ToolRun> {
  const { messages: initialMessages, ...rest } = request;
  const messages = [...initialMessages];
  const calls: ParsedToolCall[] = [];
  const toolDefinitions = tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters },
  }));
  for (let round = 0; round <= maxRounds; round++) {
    const answer = await feather.chat.completions.create(
      { ...rest, messages, tools: toolDefinitions, stream: false },
      options,
    );
    const message = answer.choices[0]?.message;
    if (message) messages.push(message as ChatMessage);
    const toolCalls = toolCallsOf(message);
    if (toolCalls.length === 0) return { content: message?.content ?? null, messages, calls };
    if (round === maxRounds) break; // the model would never see what these calls return
    calls.push(...toolCalls);
    const toolMessages = await Promise.all(toolCalls.map((call) => toToolMessage(call, tools, options.signal)));
    messages.push(...toolMessages);
  }
  throw new RangeError(`The model asked for tools more than ${maxRounds} times. Raise maxRounds if it should go on.`);
}

async function toToolMessage(
  call: ParsedToolCall,
  tools: readonly Tool[],
  signal: AbortSignal | undefined,
): Promise<ChatMessage> {
  return { role: "tool", tool_call_id: call.id, content: await runTool(call, tools, signal) };
}

/** Returns the content of the tool message. Errors are returned too, so that the model can correct its call. */
async function runTool(call: ParsedToolCall, tools: readonly Tool[], signal: AbortSignal | undefined): Promise<string> {
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

/** Returns what a tool of a server answered as a text for a model: its texts, and the kinds of its other parts. */
export function toolResultText({ content }: Pick<ToolCallResult, "content">): string {
  return content.map(describePart).join("\n");
}

function describePart({ type, text, mimeType, uri }: ToolCallResult["content"][number]): string {
  if (type === "text" && typeof text === "string") return text;
  const about = [mimeType, uri].filter((one) => typeof one === "string").join(" ");
  return about === "" ? `[${type}]` : `[${type}: ${about}]`;
}
