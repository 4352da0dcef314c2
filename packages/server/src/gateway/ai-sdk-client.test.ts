import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { waitFor } from "@feather/testing/wait-for";
import {
  APICallError,
  embedMany,
  generateText,
  jsonSchema,
  type LanguageModel,
  streamText,
  type ToolSet,
  tool,
} from "ai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MODEL } from "../testing/chat.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let secret = "";

beforeAll(async () => {
  server = await createTestServer();
  secret = (await server.createKey(await server.signUpOnPlan({}))).secret;
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const WEATHER = tool({
  description: "Weather of a city",
  inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
});
const TOOLS = { weather: WEATHER } as unknown as ToolSet;
const CALL = [
  { tool_calls: [{ index: 0, id: "call_a", function: { name: "weather", arguments: '{"city":' } }] },
  { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] },
];
const WHOLE_CALL = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
};

const compatible = (apiKey = secret) =>
  createOpenAICompatible({ name: "feather", baseURL: `${server.url}/v1`, apiKey, includeUsage: true });
const openai = (apiKey = secret) => createOpenAI({ baseURL: `${server.url}/v1`, apiKey });

const CLIENTS: [string, (id: string, apiKey?: string) => LanguageModel][] = [
  ["openai-compatible", (id, apiKey) => compatible(apiKey)(id)],
  ["openai (responses)", (id, apiKey) => openai(apiKey)(id)],
  ["openai (chat)", (id, apiKey) => openai(apiKey).chat(id)],
];

describe.each(CLIENTS)("the AI SDK's provider %s", (_name, model) => {
  test("the AI SDK's provider gets an answer", async () => {
    await server.addUpstream();
    const { text, finishReason, usage } = await generateText({ model: model(MODEL), prompt: "Hello" });
    expect([text, finishReason, usage.inputTokens, usage.outputTokens]).toEqual(["Hello!", "stop", 7, 3]);
  });

  test("the AI SDK's provider reads a stream", async () => {
    await server.addUpstream({ tokens: ["Fé", "dér", " 羽", "🪶"] });
    const result = streamText({ model: model(MODEL), prompt: "Hello" });
    let text = "";
    for await (const part of result.textStream) text += part;
    expect([text, await result.finishReason, (await result.usage).outputTokens]).toEqual(["Fédér 羽🪶", "stop", 3]);
  });

  test("the AI SDK's provider calls tools, buffered and streamed", async () => {
    await server.addUpstream({ message: WHOLE_CALL, deltas: CALL, finishReason: "tool_calls" });
    const whole = await generateText({ model: model(MODEL), prompt: "Weather?", tools: TOOLS });
    const streamed = streamText({ model: model(MODEL), prompt: "Weather?", tools: TOOLS });
    await streamed.consumeStream();
    for (const calls of [whole.toolCalls, await streamed.toolCalls])
      expect(calls).toMatchObject([{ toolCallId: "call_a", toolName: "weather", input: { city: "Oslo" } }]);
    expect([whole.finishReason, await streamed.finishReason]).toEqual(["tool-calls", "tool-calls"]);
  });

  test("the AI SDK's provider continues after a tool call", async () => {
    const upstream = await server.addUpstream();
    const { text } = await generateText({
      model: model(MODEL),
      tools: TOOLS,
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "call_a", toolName: "weather", input: { city: "Oslo" } }],
        },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "call_a", toolName: "weather", output: { type: "text", value: "mild" } },
          ],
        },
      ],
    });
    expect(text).toBe("Hello!");
    expect(upstream.recordedRequests[0]?.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ id: "call_a", function: { name: "weather" } }] },
      { role: "tool", tool_call_id: "call_a", content: "mild" },
    ]);
  });

  test("the AI SDK's provider reports status and message of an error", async () => {
    for (const [id, key, status] of [
      ["nobody/nothing", secret, 404],
      [MODEL, "rc_wrong", 401],
    ] as const) {
      const error: unknown = await generateText({ model: model(id, key), prompt: "Hi", maxRetries: 0 }).catch(
        (e: unknown) => e,
      );
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode: status, message: expect.stringMatching(/\w/) });
    }
  });

  test("the AI SDK's provider reports a broken stream as an error rather than an end", async () => {
    await server.addUpstream({ fault: { kind: "reset", after: 2 } });
    let failure: unknown = null;
    const result = streamText({
      model: model(MODEL),
      prompt: "Hi",
      maxRetries: 0,
      onError: ({ error }) => {
        failure = error;
      },
    });
    let text = "";
    await (async () => {
      for await (const part of result.textStream) text += part;
    })().catch((error: unknown) => {
      failure ??= error;
    });
    expect(text).toBe("Hello");
    expect(failure).not.toBeNull();
  });

  test("the AI SDK's provider aborts the backend's request when it aborts", async () => {
    const upstream = await server.addUpstream({ delayMs: 30, tokens: Array<string>(10_000).fill("x") });
    const abort = new AbortController();
    const result = streamText({ model: model(MODEL), prompt: "Hi", abortSignal: abort.signal });
    for await (const _ of result.textStream) abort.abort();
    await waitFor(() => expect([server.api.gateway.units.totalInUse(), upstream.active()]).toEqual([0, 0]));
  });
});

describe("the AI SDK", () => {
  test("the AI SDK reads the model's reasoning", async () => {
    const deltas = [{ reasoning_content: "Hm" }, { content: "Yes" }];
    for (const [, model] of CLIENTS.slice(0, 2)) {
      await server.addUpstream({ deltas, message: { role: "assistant", reasoning: "Hm", content: "Yes" } });
      const whole = await generateText({ model: model(MODEL), prompt: "Hi" });
      const streamed = streamText({ model: model(MODEL), prompt: "Hi" });
      await streamed.consumeStream();
      expect([whole.reasoningText, await streamed.reasoningText]).toEqual(["Hm", "Hm"]);
      await server.removeUpstreams();
    }
  });

  test("the AI SDK creates embeddings", async () => {
    await server.addUpstream();
    for (const model of [compatible().embeddingModel(MODEL), openai().embedding(MODEL)]) {
      const { embeddings } = await embedMany({ model, values: ["a", "b"] });
      expect(embeddings).toEqual([
        [0, 0.5, -0.25],
        [1, 0.5, -0.25],
      ]);
    }
  });
});
