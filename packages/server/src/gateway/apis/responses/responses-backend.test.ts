import Anthropic from "@anthropic-ai/sdk";
import { streamedText } from "@feather/testing/chat-events";
import {
  RESPONSES_KEY,
  type ResponsesScript,
  startFakeResponses,
  toMessageItem,
} from "@feather/testing/fake-responses";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../../testing/server.ts";

const MODEL = "feather/demo";
const NAME = "gpt-5-test";
const USER = { role: "user" as const, content: "Hello" };
const TEXT = "Hello there!";
const MODALITIES = ["text", "image", "audio", "file"];
const REASONING = {
  type: "reasoning",
  id: "rs_1",
  summary: [
    { type: "summary_text", text: "The user greets." },
    { type: "summary_text", text: "I greet back." },
  ],
  encrypted_content: "c2VhbGVk",
};
const callOf = (id: string, text: string) => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name: "weather",
  arguments: text,
});
const SCHEMA = { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] };
const FUNCTION = {
  type: "function" as const,
  function: { name: "weather", description: "Tells it.", parameters: SCHEMA },
};

let server: TestServer;
let upstream: Awaited<ReturnType<typeof startFakeResponses>>;
let openaiClient: OpenAI;
let anthropicClient: Anthropic;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  upstream = await startFakeResponses();
  const account = await server.signUpOnPlan({});
  const { secret } = await server.createKey(account);
  token = secret;
  openaiClient = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
  anthropicClient = new Anthropic({ apiKey: secret, baseURL: server.url, maxRetries: 0 });
});
beforeEach(() => {
  upstream.answer({ output: [toMessageItem(TEXT)] });
  upstream.bodies.splice(0);
  server.addBackend({
    name: "openai",
    baseUrl: upstream.baseUrl,
    api: "responses",
    program: "responses",
    apiKey: RESPONSES_KEY,
    models: { [MODEL]: NAME },
  });
});
afterEach(() => server.removeUpstreams());
afterAll(async () => {
  await server.close();
  await upstream.close();
});

const chat = (body: object) =>
  server.call("/v1/chat/completions", { token, body: { model: MODEL, messages: [USER], ...body } });

describe("the stand-in for the Responses API", () => {
  test("the official client gets every item of an answer of the stand-in, buffered and streamed", async () => {
    const direct = new OpenAI({ apiKey: RESPONSES_KEY, baseURL: upstream.baseUrl, maxRetries: 0 });
    const output = [REASONING, toMessageItem(TEXT)];
    upstream.answer({ output });
    expect(await direct.responses.create({ model: NAME, input: "Hello" })).toMatchObject({ output, output_text: TEXT });
    const streamed = await direct.responses.stream({ model: NAME, input: "Hello" }).finalResponse();
    expect(streamed).toMatchObject({ output_text: TEXT, usage: { output_tokens: 9 } });
  });

  test("the official client throws its errors for the refusals of the stand-in", async () => {
    const wrong = new OpenAI({ apiKey: "sk-wrong", baseURL: upstream.baseUrl, maxRetries: 0 });
    await expect(wrong.responses.create({ model: NAME, input: "Hi" })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
    const direct = new OpenAI({ apiKey: RESPONSES_KEY, baseURL: upstream.baseUrl, maxRetries: 0 });
    const short = { model: NAME, input: "Hi", max_output_tokens: 5 };
    await expect(direct.responses.create(short)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});

describe("a backend with the Responses API", () => {
  test("chat completions get its answer, buffered and streamed, and nothing is stored there", async () => {
    upstream.answer({ output: [REASONING, toMessageItem(TEXT)] });
    const ask = { model: MODEL, messages: [{ role: "system" as const, content: "Be brief." }, USER] };
    const answer = await openaiClient.chat.completions.create(ask);
    const thoughts = "The user greets.\n\nI greet back.";
    const detail = { type: "reasoning.encrypted", data: "c2VhbGVk", id: "rs_1", format: "openai-responses-v1" };
    expect(answer.choices).toMatchObject([
      { finish_reason: "stop", message: { content: TEXT, reasoning_content: thoughts, reasoning_details: [detail] } },
    ]);
    expect(answer.usage).toMatchObject({
      prompt_tokens: 57,
      completion_tokens: 9,
      total_tokens: 66,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    expect(upstream.bodies).toEqual([
      {
        model: NAME,
        input: [{ role: "system", content: "Be brief." }, USER],
        store: false,
        include: ["reasoning.encrypted_content"],
      },
    ]);
    const { text } = await chat({ stream: true });
    expect(streamedText(text)).toBe(TEXT);
    expect(text).toContain('"reasoning_details"');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("the official client calls tools in parallel, and sends their results and the sealed reasoning back", async () => {
    upstream.answer({ output: [REASONING, callOf("call_1", '{"city":"Oslo"}'), callOf("call_2", "{}")] });
    const ask = { model: MODEL, messages: [USER], tools: [FUNCTION], tool_choice: "required" as const };
    const { choices } = await openaiClient.chat.completions.create({ ...ask, parallel_tool_calls: false });
    const calls = [
      { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
      { id: "call_2", type: "function", function: { name: "weather", arguments: "{}" } },
    ];
    expect(choices).toMatchObject([{ finish_reason: "tool_calls", message: { tool_calls: calls } }]);
    expect(upstream.bodies[0]).toMatchObject({
      tools: [{ type: "function", name: "weather", description: "Tells it.", parameters: SCHEMA, strict: false }],
      tool_choice: "required",
      parallel_tool_calls: false,
    });
    const streamed = await openaiClient.chat.completions.stream(ask).finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(calls);

    upstream.answer({ output: [toMessageItem(TEXT)] });
    const results = ["call_1", "call_2"].map((tool_call_id) => ({
      role: "tool" as const,
      tool_call_id,
      content: "7 °C",
    }));
    const messages = [USER, ...choices.map(({ message }) => message), ...results];
    await openaiClient.chat.completions.create({ ...ask, tool_choice: "auto", messages });
    expect(upstream.bodies.at(-1)?.input).toEqual([
      USER,
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VhbGVk" },
      { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "function_call", call_id: "call_2", name: "weather", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output: "7 °C" },
      { type: "function_call_output", call_id: "call_2", output: "7 °C" },
    ]);
  });

  test("the official Anthropic client gets sealed reasoning, and the backend gets it back unchanged", async () => {
    upstream.answer({ output: [REASONING, callOf("call_1", "{}")] });
    const tools = [{ name: "weather", input_schema: SCHEMA }];
    const ask = { model: MODEL, max_tokens: 400, tools, messages: [USER] };
    for (const message of [
      await anthropicClient.messages.create(ask),
      await anthropicClient.messages.stream(ask).finalMessage(),
    ]) {
      const result = { type: "tool_result" as const, tool_use_id: "call_1", content: "7 °C" };
      const turn = { role: "assistant" as const, content: message.content };
      await anthropicClient.messages.create({ ...ask, messages: [USER, turn, { role: "user", content: [result] }] });
      expect(upstream.bodies.at(-1)).toMatchObject({
        max_output_tokens: 400,
        input: [
          USER,
          { type: "reasoning", id: "rs_1", encrypted_content: "c2VhbGVk" },
          { type: "function_call", call_id: "call_1" },
          { type: "function_call_output", call_id: "call_1", output: "7 °C" },
        ],
      });
    }
  });

  test("pictures and documents are sent, and sound is refused in words", async () => {
    await server.db.updateTable("models").set({ input_modalities: MODALITIES }).where("id", "=", MODEL).execute();
    server.api.catalogue.callableModels.invalidate();
    const picture = "data:image/png;base64,iVBORw0KGgo=";
    const paper = "data:application/pdf;base64,JVBERi0=";
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: picture, detail: "low" } },
      { type: "file", file: { file_data: paper } },
    ];
    expect((await chat({ messages: [{ role: "user", content }] })).status).toBe(200);
    expect(upstream.bodies[0]?.input).toEqual([
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is this?" },
          { type: "input_image", image_url: picture, detail: "low" },
          { type: "input_file", filename: "document", file_data: paper },
        ],
      },
    ]);
    const sound = { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } };
    const refused = await chat({ messages: [{ role: "user", content: [sound] }] });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("takes no sound")]);
  });

  test("a schema, an effort and a sampling are passed on, and what has no place is named", async () => {
    const json_schema = { name: "city", schema: SCHEMA, strict: true };
    const { headers } = await chat({
      response_format: { type: "json_schema", json_schema },
      reasoning_effort: "minimal",
      max_completion_tokens: 77,
      temperature: 0.5,
      verbosity: "low",
      stop: "END",
      seed: 1,
    });
    expect(upstream.bodies[0]).toMatchObject({
      text: { format: { type: "json_schema", ...json_schema }, verbosity: "low" },
      reasoning: { effort: "minimal" },
      max_output_tokens: 77,
      temperature: 0.5,
    });
    expect(headers.get("x-ignored-params")?.split(", ").toSorted()).toEqual(["seed", "stop"]);
  });

  test("the likelihoods of tokens are asked for and returned", async () => {
    const logprobs = [{ token: "Hello", logprob: -0.5, bytes: [72], top_logprobs: [] }];
    const item = {
      ...toMessageItem("Hello"),
      content: [{ type: "output_text", text: "Hello", annotations: [], logprobs }],
    };
    upstream.answer({ output: [item] });
    const answer = await openaiClient.chat.completions.create({ model: MODEL, messages: [USER], logprobs: true });
    expect(answer.choices[0]?.logprobs?.content).toMatchObject([{ token: "Hello", logprob: -0.5 }]);
    expect(upstream.bodies[0]?.include).toEqual(["reasoning.encrypted_content", "message.output_text.logprobs"]);
  });

  test("text completions, Responses and vectors get their answers", async () => {
    const completion = await openaiClient.completions.create({ model: MODEL, prompt: "Once" });
    expect(completion.choices).toMatchObject([{ text: TEXT, finish_reason: "stop" }]);
    let streamed = "";
    for await (const chunk of await openaiClient.completions.create({ model: MODEL, prompt: "Once", stream: true }))
      streamed += chunk.choices[0]?.text ?? "";
    expect(streamed).toBe(TEXT);
    const response = await openaiClient.responses.create({ model: MODEL, input: "Hello" });
    expect([response.output_text, response.usage?.output_tokens]).toEqual([TEXT, 9]);
    const { data } = await openaiClient.embeddings.create({ model: MODEL, input: "x", encoding_format: "float" });
    expect(data[0]?.embedding).toEqual([0.6, 0.8]);
  });

  test("a refusal of the model is one, buffered and streamed", async () => {
    upstream.answer({ output: [{ ...toMessageItem(""), content: [{ type: "refusal", refusal: "I cannot." }] }] });
    const answer = await openaiClient.chat.completions.create({ model: MODEL, messages: [USER] });
    expect(answer.choices[0]?.message).toMatchObject({ refusal: "I cannot." });
    expect((await chat({ stream: true })).text).toContain('"refusal"');
  });

  test.each([
    ["max_output_tokens", "length"],
    ["content_filter", "content_filter"],
  ] as const)("an answer that is incomplete for %s has the finish reason %s", async (incomplete, reason) => {
    upstream.answer({ output: [toMessageItem(TEXT)], incomplete });
    for (const stream of [false, true]) expect((await chat({ stream })).text).toContain(`"finish_reason":"${reason}"`);
  });

  test.each<[string, object, string]>([
    ["a limit below 16 tokens", { max_tokens: 5 }, "no limit below 16 tokens"],
    ["a tool that is no function", { tools: [{ type: "custom", custom: { name: "a" } }] }, "tools"],
  ])("%s is refused in words", async (_what, fields, words) => {
    const refused = await chat(fields);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(words)]);
    expect(upstream.bodies).toEqual([]);
  });

  test("several prompts in one text completion are refused in words", async () => {
    const refused = await server.call("/v1/completions", { token, body: { model: MODEL, prompt: ["a", "b"] } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("one prompt at a time")]);
  });

  test.each<[string, NonNullable<ResponsesScript["fault"]>, boolean, string]>([
    [
      "a limit",
      { kind: "refuse", status: 429, code: "rate_limit_exceeded", message: "Slow down" },
      false,
      "rate_limit_exceeded",
    ],
    [
      "a long prompt",
      {
        kind: "refuse",
        status: 400,
        code: "context_length_exceeded",
        message: "Your input exceeds the context window of this model.",
      },
      false,
      "context_length_exceeded",
    ],
    ["a response that fails", { kind: "failed", code: "server_error", message: "Sorry" }, false, "upstream_error"],
    ["a stream that fails", { kind: "failed", code: "server_error", message: "Sorry" }, true, "upstream_error"],
    [
      "an error in a stream",
      { kind: "error event", code: "rate_limit_exceeded", message: "Slow down" },
      true,
      "upstream_error",
    ],
    ["a stream that ends early", { kind: "cut" }, true, "The backend ended the answer before it was complete."],
  ])("the caller gets an error for %s", async (_what, fault, stream, words) => {
    upstream.answer({ output: [toMessageItem(TEXT)], fault });
    const { text } = await chat({ stream });
    expect(text).toContain(words);
    expect(text).not.toContain("[DONE]");
  });
});
