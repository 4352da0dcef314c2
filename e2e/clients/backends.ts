import { ANTHROPIC_KEY, startFakeAnthropic } from "@feather/testing/fake-anthropic";
import { BEDROCK_KEY, startFakeBedrock } from "@feather/testing/fake-bedrock";
import { COHERE_KEY, startFakeCohere } from "@feather/testing/fake-cohere";
import { GEMINI_KEY, startFakeGemini } from "@feather/testing/fake-gemini";
import { RESPONSES_KEY, startFakeResponses, toMessageItem } from "@feather/testing/fake-responses";
import { startFakeUpstream } from "@feather/testing/fake-upstream";
import type { ClientTask } from "./programs.ts";

type Fields = Record<string, unknown>;
/** The last message of a conversation: its text, or the text that a tool returned. */
type LastMessage = { text: string; isToolResult: boolean };
/** A text, or a call of a tool with its arguments. */
type Answer = { text: string } | { tool: string; input: Fields };

/** A backend that speaks one of the upstream APIs. */
export type PongBackend = {
  api: string;
  baseUrl: string;
  key: string;
  /** The name of its model there, and the id of that model for callers. */
  modelName: string;
  modelId: string;
  close(): Promise<void>;
};
/** How a backend of an API is started, and the tasks that the API cannot carry. */
export type PongBackendDefinition = {
  api: string;
  refuses: readonly ClientTask[];
  start(): Promise<PongBackend>;
};

const VECTORS = Array.from({ length: 10 }, () => [0.1, 0.2]);
const CHAT_USAGE = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const EMBEDDINGS_USAGE = { prompt_tokens: 2, total_tokens: 2 };

/**
 * A backend of each upstream API. All of them answer "pong", call the tool that the prompt names (`CALL name
 * {"city":"Oslo"}`), or repeat what a tool returned.
 */
export const PONG_BACKENDS: readonly PongBackendDefinition[] = [
  { api: "openai", refuses: [], start: startOpenAi },
  { api: "responses", refuses: [], start: startResponses },
  { api: "anthropic", refuses: ["embeddings"], start: startAnthropic },
  { api: "gemini", refuses: [], start: startGemini },
  { api: "bedrock", refuses: ["embeddings"], start: startBedrock },
  { api: "cohere", refuses: [], start: startCohere },
];

async function startOpenAi(): Promise<PongBackend> {
  const server = await startFakeUpstream({
    vectors: VECTORS,
    usage: ({ messages }) => (messages ? CHAT_USAGE : EMBEDDINGS_USAGE),
    reply: ({ messages }) => {
      const { message, finishReason } = toOpenAiMessage(listOf(messages));
      const { content, tool_calls } = message;
      return content === null
        ? { deltas: [{ tool_calls }], message, finishReason }
        : { tokens: [...content], finishReason };
    },
  });
  const names = { modelName: "Qwen/Qwen3-32B", modelId: "Qwen/Qwen3-32B" };
  return { api: "openai", baseUrl: server.baseUrl, key: "unused", ...names, close: server.close };
}

/** Returns the message that answers a conversation, in the form of OpenAI's API. */
function toOpenAiMessage(messages: readonly Fields[]) {
  const { role: lastRole, content: lastContent } = messages.at(-1) ?? {};
  const answer = replyTo({ text: toText(lastContent), isToolResult: lastRole === "tool" });
  const role = "assistant";
  if ("text" in answer) return { message: { role, content: answer.text }, finishReason: "stop" };
  const called = { name: answer.tool, arguments: JSON.stringify(answer.input) };
  const tool_calls = [{ index: 0, id: "call_1", type: "function", function: called }];
  return { message: { role, content: null, tool_calls }, finishReason: "tool_calls" };
}

async function startResponses(): Promise<PongBackend> {
  const server = await startFakeResponses({
    vectors: VECTORS,
    reply: ({ input }) => {
      const { type, content, output } =
        typeof input === "string" ? { type: "message", content: input } : (listOf(input).at(-1) ?? {});
      const isToolResult = type === "function_call_output";
      const answer = replyTo({ text: toText(isToolResult ? output : content), isToolResult });
      if ("text" in answer) return { output: [toMessageItem(answer.text)] };
      const called = { name: answer.tool, arguments: JSON.stringify(answer.input) };
      return { output: [{ type: "function_call", id: "fc_1", call_id: "call_1", status: "completed", ...called }] };
    },
  });
  const names = { modelName: "gpt-5-test", modelId: "openai/gpt-5-test" };
  return { api: "responses", baseUrl: server.baseUrl, key: RESPONSES_KEY, ...names, close: server.close };
}

async function startAnthropic(): Promise<PongBackend> {
  const server = await startFakeAnthropic({
    reply: ({ messages }) => {
      const content = listOf(messages).at(-1)?.content;
      const result = listOf(content).find(({ type }) => type === "tool_result");
      const answer = replyTo({ text: toText(result?.content ?? content), isToolResult: result !== undefined });
      if ("text" in answer) return { content: [{ type: "text", text: answer.text }] };
      const called = { type: "tool_use", id: "toolu_1", name: answer.tool, input: answer.input };
      return { content: [called], stopReason: "tool_use" };
    },
  });
  const names = { modelName: "claude-test", modelId: "anthropic/claude-test" };
  return { api: "anthropic", baseUrl: server.baseUrl, key: ANTHROPIC_KEY, ...names, close: server.close };
}

async function startGemini(): Promise<PongBackend> {
  const server = await startFakeGemini({
    vectors: VECTORS,
    reply: ({ contents }) => {
      const parts = listOf(listOf(contents).at(-1)?.parts);
      const result = parts.find(({ functionResponse }) => functionResponse !== undefined)?.functionResponse;
      const text = result === undefined ? toText(parts) : JSON.stringify(result);
      const answer = replyTo({ text, isToolResult: result !== undefined });
      if ("text" in answer) return { parts: [{ text: answer.text }] };
      const functionCall = { name: answer.tool, args: answer.input };
      return { parts: [{ functionCall, thoughtSignature: "c2lnbmVk" }] };
    },
  });
  const names = { modelName: "gemini-3-test", modelId: "google/gemini-3-test" };
  return { api: "gemini", baseUrl: server.baseUrl, key: GEMINI_KEY, ...names, close: server.close };
}

async function startBedrock(): Promise<PongBackend> {
  const server = await startFakeBedrock({
    reply: ({ messages }) => {
      const content = listOf(listOf(messages).at(-1)?.content);
      const result = content.find(({ toolResult }) => toolResult !== undefined)?.toolResult as Fields | undefined;
      const text = result === undefined ? toText(content) : JSON.stringify(result.content);
      const answer = replyTo({ text, isToolResult: result !== undefined });
      if ("text" in answer) return { content: [{ text: answer.text }] };
      const toolUse = { toolUseId: "tooluse_1", name: answer.tool, input: answer.input };
      return { content: [{ toolUse }], stopReason: "tool_use" };
    },
  });
  const names = { modelName: "amazon.nova-pro-v1:0", modelId: "amazon/nova-pro" };
  return { api: "bedrock", baseUrl: server.baseUrl, key: BEDROCK_KEY, ...names, close: server.close };
}

async function startCohere(): Promise<PongBackend> {
  const server = await startFakeCohere({
    vectors: VECTORS,
    reply: ({ messages }) => toOpenAiMessage(listOf(messages)),
  });
  const names = { modelName: "command-test", modelId: "cohere/command-test" };
  return { api: "cohere", baseUrl: server.baseUrl, key: COHERE_KEY, ...names, close: server.close };
}

function replyTo({ text, isToolResult }: LastMessage): Answer {
  if (isToolResult) return { text: `The tool said: ${text}` };
  const [, tool, input] = /CALL (\w+) (\{.*?\})/.exec(text) ?? [];
  const fields = input === undefined ? null : parseObject(input);
  return tool && fields ? { tool, input: fields } : { text: "pong" };
}

/** Returns the fields of a JSON object, whose quotes are escaped where a program quotes the prompt; null for another text. */
function parseObject(text: string): Fields | null {
  try {
    return JSON.parse(text.replaceAll('\\"', '"')) as Fields;
  } catch {
    return null;
  }
}

/** Returns the text of a content, which is a text or a list of parts. */
function toText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text = "" }) => text)
    .join("\n");
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}
