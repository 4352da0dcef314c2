import { type FakeUpstream, startFakeUpstream } from "@feather/testing/fake-upstream";

type Message = { role: string; content?: unknown };
type Call = { name: string; arguments: string };

const CHAT_USAGE = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const EMBEDDINGS_USAGE = { prompt_tokens: 2, total_tokens: 2 };

/**
 * Starts an OpenAI-compatible backend that answers "pong", or calls the tool that the prompt names: `CALL name
 * {"city":"Oslo"}`.
 */
export function startPongBackend(): Promise<FakeUpstream> {
  return startFakeUpstream({
    vectors: Array.from({ length: 10 }, () => [0.1, 0.2]),
    usage: ({ messages }) => (messages ? CHAT_USAGE : EMBEDDINGS_USAGE),
    reply: ({ messages }) => reply((messages ?? []) as Message[]),
  });
}

function reply(messages: readonly Message[]) {
  const last = messages.at(-1);
  const text = messageText(last);
  if (last?.role === "tool") return { tokens: [`The tool said: ${text}`] };
  const [, name, argumentsText] = /CALL (\w+) (\{.*?\})/.exec(text) ?? [];
  return name && argumentsText ? replyWithCall({ name, arguments: argumentsText }) : { tokens: [..."pong"] };
}

function replyWithCall(call: Call) {
  const tool_calls = [{ index: 0, id: "call_1", type: "function", function: call }];
  const message = { role: "assistant", content: null, tool_calls };
  return { deltas: [{ tool_calls }], message, finishReason: "tool_calls" };
}

function messageText(message: Message | undefined): string {
  const { content } = message ?? {};
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text = "" }: { text?: string }) => text).join("\n") : "";
}
