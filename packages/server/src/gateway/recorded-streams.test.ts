import { readdirSync, readFileSync } from "node:fs";
import { parseEvents } from "@feather/testing/chat-events";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { MODEL } from "../testing/chat.ts";
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
type Chunk = {
  choices: { delta?: Delta; text?: string; finish_reason: string | null }[];
  usage?: object | null;
};

/** Returns what a client assembles from the events of a stream, except the last. */
function readAnswer(events: readonly string[]) {
  const answer = { content: "", reasoning: "", calls: [] as string[], reasons: [] as string[], usage: {} };
  for (const data of events.slice(0, -1)) {
    const { choices, usage } = JSON.parse(data) as Chunk;
    if (usage) answer.usage = usage;
    for (const { delta = {}, text = "", finish_reason } of choices) {
      answer.content += text + (delta.content ?? "");
      answer.reasoning += delta.reasoning_content ?? "";
      for (const { index, function: part } of delta.tool_calls ?? [])
        answer.calls[index] = `${answer.calls[index] ?? ""}${part.name ?? ""}${part.arguments}`;
      if (finish_reason !== null) answer.reasons.push(finish_reason);
    }
  }
  return answer;
}

/** Calls a backend that answers with a recording. Returns the data of the events that the caller gets. */
async function replay(name: string): Promise<string[]> {
  const body = readFileSync(new URL(`${name}.sse`, RECORDINGS), "utf8");
  await server.addUpstream({ rawAnswer: { contentType: "text/event-stream", body } });
  const isChat = body.includes('"chat.completion.chunk"');
  const { text } = await server.call(isChat ? "/v1/chat/completions" : "/v1/completions", {
    token: open.token,
    body: {
      model: MODEL,
      ...(isChat ? { messages: [{ role: "user", content: "Hi" }] } : { prompt: "Hi" }),
      stream: true,
      stream_options: { include_usage: true },
    },
  });
  return parseEvents(text);
}

const used = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});
const written = {
  content: "Let me see.",
  reasoning: "Hm.",
  calls: ['weather{"city":"Oslo"}'],
  reasons: ["tool_calls"],
  usage: used(20, 12),
};
const text = (content: string, reason: string, usage: object) => ({
  content,
  reasoning: "",
  calls: [],
  reasons: [reason],
  usage,
});

const EXPECTED: Readonly<Record<string, object>> = {
  kimi: written,
  mistral: written,
  openrouter: written,
  sglang: written,
  vllm: written,
  "litellm-text": text("Hello!", "stop", used(7, 3)),
  "litellm-length": text("Hel", "length", used(7, 3)),
  "litellm-completion": text("Hello!", "stop", used(7, 3)),
  "litellm-tools": {
    ...text("Let me see.", "tool_calls", used(7, 3)),
    calls: ['weather{"city":"Oslo"}', 'weather{"city":"Bergen"}'],
  },
  "llama-server-text": text("La France est la capital de France", "stop", used(14, 8)),
  "llama-server-length": text("1. 1", "length", used(13, 4)),
  "llama-server-completion": text(" the United Kingdom", "stop", used(5, 4)),
  "llama-server-tools": {
    ...text("Let me see.\n", "tool_calls", used(363, 48)),
    reasoning: "Hm.\n",
    calls: ['weather{"city": "Oslo"}'],
  },
  "ollama-text": text("La France est la capital de France", "stop", used(14, 8)),
  "ollama-length": text("1. 1", "length", used(13, 4)),
  "ollama-completion": text("Rome is the capital of the Italian city", "length", used(14, 8)),
  "ollama-tools": {
    ...text("Let me see.\n", "tool_calls", used(351, 47)),
    reasoning: "Hm.\n",
    calls: ['weather{"city":"Oslo"}'],
  },
};
const BROKEN_OFF: Readonly<Record<string, string>> = {
  "litellm-error": "Hello",
  "llama-server-error": " five, six, seven, eight, nine, ten, eleven, twelve,",
  "ollama-error": "The",
};

test.each(Object.entries(EXPECTED))(
  "the stream of %s reaches the caller whole, and counts as no failure",
  async (name, expected) => {
    const events = await replay(name);
    expect(events.at(-1)).toBe("[DONE]");
    expect(readAnswer(events)).toMatchObject(expected);
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 0 }]);
  },
);

test.each(Object.entries(BROKEN_OFF))(
  "the stream of %s that breaks off in the middle ends with an error of ours, and counts as a failure",
  async (name, start) => {
    const events = await replay(name);
    expect(readAnswer(events).content.startsWith(start)).toBe(true);
    expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({ error: { code: "upstream_error" } });
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 1 }]);
  },
);

test("every recording is read by a test", () => {
  const names = readdirSync(RECORDINGS).filter((name) => name.endsWith(".sse"));
  const read = Object.keys({ ...EXPECTED, ...BROKEN_OFF }).map((name) => `${name}.sse`);
  expect(read.sort()).toEqual(names.sort());
});
