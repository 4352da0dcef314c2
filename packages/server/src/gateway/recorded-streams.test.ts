import { readFileSync } from "node:fs";
import { parseEvents } from "@feather/testing/chat-events";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createChatRequest } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const RECORDINGS = new URL("../../../testing/recordings/", import.meta.url);

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer();
  open = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

type Delta = {
  content?: string;
  reasoning_content?: string;
  tool_calls?: { index: number; function: { name?: string; arguments: string } }[];
};
type Chunk = { choices: { delta: Delta; finish_reason: string | null }[]; usage?: object };

/** Returns what a client assembles from a stream. */
function readAnswer(stream: string) {
  const answer = { content: "", reasoning: "", calls: [] as string[], reasons: [] as string[], usage: {} };
  for (const data of parseEvents(stream).slice(0, -1)) {
    const { choices, usage } = JSON.parse(data) as Chunk;
    if (usage) answer.usage = usage;
    for (const { delta, finish_reason } of choices) {
      answer.content += delta.content ?? "";
      answer.reasoning += delta.reasoning_content ?? "";
      for (const { index, function: part } of delta.tool_calls ?? [])
        answer.calls[index] = `${answer.calls[index] ?? ""}${part.name ?? ""}${part.arguments}`;
      if (finish_reason !== null) answer.reasons.push(finish_reason);
    }
  }
  return answer;
}

const written = {
  content: "Let me see.",
  reasoning: "Hm.",
  calls: ['weather{"city":"Oslo"}'],
  reasons: ["tool_calls"],
  usage: { prompt_tokens: 20, completion_tokens: 12, total_tokens: 32 },
};
const recorded = { ...written, reasoning: "", usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } };

test.each<[string, object]>([
  ["kimi", written],
  ["llama-server", written],
  ["mistral", written],
  ["ollama", written],
  ["openrouter", written],
  ["sglang", written],
  ["vllm", written],
  ["litellm-text", { ...recorded, content: "Hello!", calls: [], reasons: ["stop"] }],
  ["litellm-tools", { ...recorded, calls: ['weather{"city":"Oslo"}', 'weather{"city":"Bergen"}'] }],
])("the stream of %s reaches the caller whole, and counts as no failure", async (name, expected) => {
  const body = readFileSync(new URL(`${name}.sse`, RECORDINGS), "utf8");
  await server.addUpstream({ rawAnswer: { contentType: "text/event-stream", body } });
  const request = createChatRequest({ stream: true, stream_options: { include_usage: true } });
  const { text } = await server.call("/v1/chat/completions", { token: open.token, body: request });
  expect(parseEvents(text).at(-1)).toBe("[DONE]");
  expect(readAnswer(text)).toMatchObject(expected);
  expect(server.api.backends.registry.list()).toMatchObject([{ failures: 0 }]);
});
