import Anthropic from "@anthropic-ai/sdk";
import { streamedText } from "@feather/testing/chat-events";
import { ANTHROPIC_KEY, type AnthropicScript, startFakeAnthropic } from "@feather/testing/fake-anthropic";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../../testing/server.ts";

const MODEL = "feather/demo";
const NAME = "claude-test-1";
const USER = { role: "user" as const, content: "Hello" };
const CALL = { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } };
const THOUGHT = { type: "thinking", thinking: "The user greets.", signature: "c2lnbmVk" };
const HIDDEN = { type: "redacted_thinking", data: "aGlkZGVu" };
const TEXT = { type: "text", text: "Hello there!" };
const SCHEMA = { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] };
const FUNCTION = {
  type: "function" as const,
  function: { name: "weather", description: "Tells it.", parameters: SCHEMA },
};

let server: TestServer;
let anthropic: Awaited<ReturnType<typeof startFakeAnthropic>>;
let openaiClient: OpenAI;
let anthropicClient: Anthropic;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  anthropic = await startFakeAnthropic();
  const account = await server.signUpOnPlan({});
  const { secret } = await server.createKey(account);
  token = secret;
  openaiClient = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
  anthropicClient = new Anthropic({ apiKey: secret, baseURL: server.url, maxRetries: 0 });
});
beforeEach(() => {
  anthropic.answer({ content: [TEXT] });
  anthropic.bodies.splice(0);
  server.addBackend({
    name: "anthropic",
    baseUrl: anthropic.baseUrl,
    api: "anthropic",
    program: "anthropic",
    apiKey: ANTHROPIC_KEY,
    models: { [MODEL]: NAME },
  });
});
afterEach(() => server.removeUpstreams());
afterAll(async () => {
  await server.close();
  await anthropic.close();
});

const call = (path: string, body: object, headers: Record<string, string> = {}) =>
  server.call(path, { token, body, headers });

describe("the stand-in for Anthropic's API", () => {
  test("the official client gets every block of an answer of the stand-in, buffered and streamed", async () => {
    const direct = new Anthropic({ apiKey: ANTHROPIC_KEY, baseURL: anthropic.origin, maxRetries: 0 });
    const content = [THOUGHT, HIDDEN, TEXT, CALL];
    anthropic.answer({ content, stopReason: "tool_use" });
    const ask = { model: NAME, max_tokens: 50, messages: [USER] };
    expect(await direct.messages.create(ask)).toMatchObject({ content, stop_reason: "tool_use" });
    const streamed = await direct.messages.stream(ask).finalMessage();
    expect(streamed).toMatchObject({ content, stop_reason: "tool_use", usage: { output_tokens: 5 } });
  });

  test("the official client throws its errors for the refusals of the stand-in", async () => {
    const wrong = new Anthropic({ apiKey: "sk-ant-wrong", baseURL: anthropic.origin, maxRetries: 0 });
    const ask = { model: NAME, max_tokens: 50, messages: [USER] };
    await expect(wrong.messages.create(ask)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const direct = new Anthropic({ apiKey: ANTHROPIC_KEY, baseURL: anthropic.origin, maxRetries: 0 });
    const empty = { ...ask, messages: [{ role: "user" as const, content: "" }] };
    await expect(direct.messages.create(empty)).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  });
});

describe("a backend with Anthropic's API", () => {
  test("chat completions get its answer, buffered and streamed", async () => {
    anthropic.answer({ content: [THOUGHT, TEXT] });
    const ask = { model: MODEL, messages: [{ role: "system" as const, content: "Be brief." }, USER] };
    const answer = await openaiClient.chat.completions.create(ask);
    expect(answer.choices).toMatchObject([
      { finish_reason: "stop", message: { content: TEXT.text, reasoning_content: THOUGHT.thinking } },
    ]);
    expect(answer.usage).toMatchObject({
      prompt_tokens: 57,
      completion_tokens: 5,
      total_tokens: 62,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 2 },
    });
    expect(anthropic.bodies).toEqual([
      {
        model: NAME,
        max_tokens: 8192,
        system: "Be brief.",
        messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      },
    ]);
    const { text } = await call("/v1/chat/completions", { ...ask, stream: true });
    expect(streamedText(text)).toBe(TEXT.text);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("the official OpenAI client calls tools in parallel and sends their results", async () => {
    const second = { ...CALL, id: "toolu_2", input: {} };
    anthropic.answer({ content: [{ type: "text", text: "I look." }, CALL, second], stopReason: "tool_use" });
    const ask = { model: MODEL, messages: [USER], tools: [FUNCTION], tool_choice: "required" as const };
    const { choices } = await openaiClient.chat.completions.create({ ...ask, parallel_tool_calls: false });
    const calls = [
      { id: "toolu_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
      { id: "toolu_2", type: "function", function: { name: "weather", arguments: "{}" } },
    ];
    expect(choices).toMatchObject([
      { finish_reason: "tool_calls", message: { content: "I look.", tool_calls: calls } },
    ]);
    expect(anthropic.bodies[0]).toMatchObject({
      tools: [{ name: "weather", description: "Tells it.", input_schema: SCHEMA }],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
    });
    const streamed = await openaiClient.chat.completions.stream(ask).finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(calls);

    anthropic.answer({ content: [TEXT] });
    const messages = choices.map((choice) => choice.message);
    const results = ["7 °C", "none"].map((content, at) => ({
      role: "tool" as const,
      tool_call_id: `toolu_${at + 1}`,
      content,
    }));
    const next = { ...ask, tool_choice: "auto" as const, messages: [USER, ...messages, ...results, USER] };
    await openaiClient.chat.completions.create(next);
    expect(anthropic.bodies.at(-1)?.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Hello" }] },
      { role: "assistant", content: [{ type: "text", text: "I look." }, CALL, second] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: "7 °C" },
          { type: "tool_result", tool_use_id: "toolu_2", content: "none" },
          { type: "text", text: "Hello" },
        ],
      },
    ]);
  });

  test("the official Anthropic client gets signed reasoning, and the backend gets it back unchanged", async () => {
    const content = [THOUGHT, HIDDEN, TEXT, CALL];
    anthropic.answer({ content, stopReason: "tool_use" });
    const thinking = { type: "enabled" as const, budget_tokens: 1024 };
    const tools = [{ name: "weather", input_schema: SCHEMA }];
    const ask = { model: MODEL, max_tokens: 4000, thinking, tools, messages: [USER] };
    const buffered = await anthropicClient.messages.create(ask);
    const streamed = await anthropicClient.messages.stream(ask).finalMessage();
    for (const message of [buffered, streamed]) {
      expect(message.content).toEqual(content);
      expect(message.usage).toMatchObject({
        input_tokens: 7,
        cache_read_input_tokens: 30,
        cache_creation_input_tokens: 20,
        output_tokens: 5,
      });
    }
    const result = { type: "tool_result" as const, tool_use_id: CALL.id, content: "7 °C" };
    const turn = { role: "assistant" as const, content: buffered.content };
    await anthropicClient.messages.create({ ...ask, messages: [USER, turn, { role: "user", content: [result] }] });
    expect(anthropic.bodies.at(-1)).toMatchObject({
      thinking,
      messages: [{ role: "user" }, { role: "assistant", content }, { role: "user", content: [result] }],
    });
  });

  test("marks of what is cached reach the backend from Messages", async () => {
    const cache_control = { type: "ephemeral" as const, ttl: "1h" as const };
    const system = [
      { type: "text" as const, text: "One." },
      { type: "text" as const, text: "Two.", cache_control },
    ];
    const tools = [{ name: "weather", input_schema: SCHEMA, cache_control }];
    const content = [{ type: "text" as const, text: "Hello", cache_control }];
    const ask = { model: MODEL, max_tokens: 50, system, tools, messages: [{ role: "user" as const, content }] };
    const { response } = await anthropicClient.messages.create({ ...ask, cache_control }).withResponse();
    expect(anthropic.bodies[0]).toMatchObject({ cache_control, system, tools, messages: [{ role: "user", content }] });
    expect(response.headers.get("x-ignored-params")).toBeNull();
  });

  test("marks of what is cached reach the backend from chat completions, and no other backend", async () => {
    const part = { type: "text", text: "Hello", cache_control: { type: "ephemeral" } };
    const ask = { model: MODEL, messages: [{ role: "user", content: [part] }] };
    const sent = await call("/v1/chat/completions", ask, { "x-strict-params": "1" });
    expect([sent.status, anthropic.bodies[0]?.messages]).toEqual([200, [{ role: "user", content: [part] }]]);
    await server.removeUpstreams();
    const other = await server.addUpstream();
    const named = await call("/v1/chat/completions", ask);
    expect(named.headers.get("x-ignored-params")).toBe("messages.cache_control");
    expect(other.recordedRequests[0]?.text).not.toContain("cache_control");
    expect((await call("/v1/chat/completions", ask, { "x-strict-params": "1" })).status).toBe(400);
  });

  test("responses and text completions get its answer, buffered and streamed", async () => {
    const response = await openaiClient.responses.create({ model: MODEL, input: "Hello" });
    expect([response.output_text, response.usage?.output_tokens]).toEqual([TEXT.text, 5]);
    let text = "";
    for await (const event of await openaiClient.responses.create({ model: MODEL, input: "Hello", stream: true }))
      if (event.type === "response.output_text.delta") text += event.delta;
    expect(text).toBe(TEXT.text);
    const completion = await openaiClient.completions.create({ model: MODEL, prompt: "Once" });
    expect(completion.choices).toMatchObject([{ text: TEXT.text, finish_reason: "stop" }]);
    let streamed = "";
    for await (const chunk of await openaiClient.completions.create({ model: MODEL, prompt: "Once", stream: true }))
      streamed += chunk.choices[0]?.text ?? "";
    expect(streamed).toBe(TEXT.text);
  });

  test("a schema, an effort, a sampling and an end of the answer are passed on", async () => {
    const format = {
      type: "json_schema",
      json_schema: { name: "a", schema: { ...SCHEMA, additionalProperties: false } },
    };
    const fields = {
      reasoning_effort: "minimal",
      max_completion_tokens: 77,
      stop: "END",
      user: "u-1",
      temperature: 0.5,
    };
    const { headers } = await call("/v1/chat/completions", {
      model: MODEL,
      messages: [USER],
      response_format: format,
      seed: 1,
      ...fields,
    });
    expect(anthropic.bodies[0]).toMatchObject({
      output_config: { effort: "low", format: { type: "json_schema", schema: format.json_schema.schema } },
      thinking: { type: "adaptive" },
      max_tokens: 77,
      stop_sequences: ["END"],
      metadata: { user_id: "u-1" },
      temperature: 0.5,
    });
    expect(headers.get("x-ignored-params")).toBe("seed");
  });

  test.each([
    ["max_tokens", "length"],
    ["refusal", "content_filter"],
    ["stop_sequence", "stop"],
    ["model_context_window_exceeded", "length"],
  ])("the stop reason %s becomes the finish reason %s", async (stopReason, finishReason) => {
    anthropic.answer({ content: [TEXT], stopReason });
    for (const stream of [false, true]) {
      const { text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER], stream });
      expect(text).toContain(`"finish_reason":"${finishReason}"`);
    }
  });

  test.each<[string, NonNullable<AnthropicScript["fault"]>, number, string]>([
    [
      "a limit",
      { kind: "refuse", status: 429, type: "rate_limit_error", message: "Slow down" },
      429,
      "rate_limit_exceeded",
    ],
    [
      "an overload",
      { kind: "refuse", status: 529, type: "overloaded_error", message: "Overloaded" },
      503,
      "capacity_exhausted",
    ],
    [
      "a long prompt",
      {
        kind: "refuse",
        status: 400,
        type: "invalid_request_error",
        message: "prompt is too long: 9 tokens > 8 maximum",
      },
      400,
      "context_length_exceeded",
    ],
    [
      "a wrong key",
      { kind: "refuse", status: 401, type: "authentication_error", message: "invalid x-api-key" },
      502,
      "upstream_error",
    ],
    [
      "an overload in a stream",
      { kind: "error event", status: 200, type: "overloaded_error", message: "Overloaded" },
      503,
      "capacity_exhausted",
    ],
  ])("the caller gets an error for %s", async (_what, fault, status, code) => {
    anthropic.answer({ fault });
    const stream = fault.kind === "error event";
    const refused = await call("/v1/chat/completions", { model: MODEL, messages: [USER], stream });
    expect(stream ? refused.text : [refused.status, refused.text]).toEqual(
      stream ? expect.stringContaining("upstream_error") : [status, expect.stringContaining(code)],
    );
  });

  test("a stream that ends early ends in an error for the caller", async () => {
    anthropic.answer({ content: [TEXT], fault: { kind: "cut" } });
    const { text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER], stream: true });
    expect(text).toContain("The backend ended the answer before it was complete.");
    expect(text).not.toContain("[DONE]");
  });

  test("embeddings, sound and JSON without a schema are refused in words", async () => {
    const embedding = await call("/v1/embeddings", { model: MODEL, input: "x" });
    expect([embedding.status, embedding.text]).toEqual([400, expect.stringContaining("gives no embeddings")]);
    const json = await call("/v1/chat/completions", {
      model: MODEL,
      messages: [USER],
      response_format: { type: "json_object" },
    });
    expect([json.status, json.text]).toEqual([400, expect.stringContaining("writes JSON only by a schema")]);
  });
});
