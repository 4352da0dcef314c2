import Anthropic from "@anthropic-ai/sdk";
import { streamedText } from "@feather/testing/chat-events";
import { COHERE_KEY, type CohereScript, startFakeCohere } from "@feather/testing/fake-cohere";
import { CohereClientV2, CohereError } from "cohere-ai";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorOf } from "../../../testing/chat.ts";
import { createTestServer, type TestServer } from "../../../testing/server.ts";
import { listModels } from "../../backends/list-models.ts";

const MODEL = "feather/demo";
const NAME = "command-test";
const CHAT_PATH = "/compatibility/v1/chat/completions";
const USER = { role: "user" as const, content: "Hello" };
const TEXT = "Hello there!";
const CALL = { id: "weather0", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } };
const SCHEMA = { type: "object" as const, properties: { city: { type: "string" } } };
const FUNCTION = {
  type: "function" as const,
  function: { name: "weather", description: "Tells it.", parameters: SCHEMA },
};
const MODALITIES = ["text", "image", "audio"];
const TEXTS = ["Stones are heavy.", "Feathers are made of keratin.", "Keratin is a protein."];

let server: TestServer;
let cohere: Awaited<ReturnType<typeof startFakeCohere>>;
let openaiClient: OpenAI;
let anthropicClient: Anthropic;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  cohere = await startFakeCohere();
  const { secret } = await server.createKey(await server.signUpOnPlan({}));
  token = secret;
  openaiClient = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
  anthropicClient = new Anthropic({ apiKey: secret, baseURL: server.url, maxRetries: 0 });
});
beforeEach(() => {
  cohere.answer({ message: { role: "assistant", content: TEXT } });
  cohere.calls.splice(0);
  const api = "cohere" as const;
  server.addBackend({
    name: api,
    baseUrl: cohere.baseUrl,
    api,
    program: api,
    apiKey: COHERE_KEY,
    models: { [MODEL]: NAME },
  });
});
afterEach(() => server.removeUpstreams());
afterAll(async () => {
  await server.close();
  await cohere.close();
});

const call = (path: string, body: object, headers = {}) =>
  server.call(path, { token, body: { model: MODEL, ...body }, headers });
const chat = (body: object, headers = {}) => call("/v1/chat/completions", { messages: [USER], ...body }, headers);
const sent = () => cohere.calls[0]?.body;

describe("the stand-in for Cohere's API", () => {
  const createClient = (key: string) => new CohereClientV2({ token: key, environment: cohere.baseUrl, maxRetries: 0 });

  test("the official client gets its vectors and its scores", async () => {
    const direct = createClient(COHERE_KEY);
    const vectors = {
      model: "embed-v4.0",
      texts: TEXTS,
      inputType: "search_query",
      embeddingTypes: ["float"],
    } as const;
    expect(await direct.embed({ ...vectors, texts: TEXTS, embeddingTypes: ["float"] })).toMatchObject({
      embeddings: { float: [[0.5, 0.5], [1.5, 1.5], expect.any(Array)] },
      meta: { billedUnits: { inputTokens: 7 } },
    });
    cohere.answer({ scores: [0.1, 0.8, 0.3] });
    const ranking = { model: "rerank-v4.0", query: "What are feathers made of?", documents: TEXTS, topN: 2 };
    expect(await direct.rerank(ranking)).toMatchObject({
      results: [
        { index: 1, relevanceScore: 0.8 },
        { index: 2, relevanceScore: 0.3 },
      ],
      meta: { billedUnits: { searchUnits: 1 } },
    });
  });

  test("the client that its reference names for chats gets an answer, buffered and streamed", async () => {
    const baseURL = `${cohere.baseUrl}/compatibility/v1`;
    const direct = new OpenAI({ apiKey: COHERE_KEY, baseURL, maxRetries: 0 });
    const request = { model: NAME, messages: [USER] };
    expect((await direct.chat.completions.create(request)).choices[0]?.message.content).toBe(TEXT);
    expect(await direct.chat.completions.stream(request).finalContent()).toBe(TEXT);
  });

  test("the official client throws its errors for the refusals of the stand-in", async () => {
    const request = { model: "rerank-v4.0", query: "q", documents: ["a"] };
    await expect(createClient("wrong").rerank(request)).rejects.toMatchObject({ statusCode: 401 });
    await expect(createClient(COHERE_KEY).rerank({ ...request, query: "" })).rejects.toBeInstanceOf(CohereError);
  });
});

describe("a backend with Cohere's API", () => {
  test("chat completions get its answer, buffered and streamed", async () => {
    const answer = await openaiClient.chat.completions.create({ model: MODEL, messages: [USER] });
    expect(answer).toMatchObject({
      choices: [{ finish_reason: "stop", message: { content: TEXT } }],
      usage: { prompt_tokens: 12, completion_tokens: 4 },
    });
    expect(cohere.calls).toEqual([{ path: CHAT_PATH, body: { model: NAME, messages: [USER] } }]);
    const { text } = await chat({ stream: true });
    expect(streamedText(text)).toBe(TEXT);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("text completions, Messages and Responses get its answer", async () => {
    expect((await call("/v1/completions", { prompt: "Hello" })).body).toMatchObject({ choices: [{ text: TEXT }] });
    expect((await call("/v1/completions", { prompt: "Hello", stream: true })).text).toContain('"text":"H"');
    const messages = { model: MODEL, max_tokens: 50, messages: [USER] };
    expect((await anthropicClient.messages.create(messages)).content).toMatchObject([{ type: "text", text: TEXT }]);
    expect(await openaiClient.responses.create({ model: MODEL, input: "Hello" })).toMatchObject({ output_text: TEXT });
  });

  test("tools are called and their results sent back", async () => {
    cohere.answer({ message: { role: "assistant", tool_calls: [CALL] }, finishReason: "tool_calls" });
    const ask = { model: MODEL, messages: [USER], tools: [FUNCTION] };
    const { choices } = await openaiClient.chat.completions.create(ask);
    expect(choices).toMatchObject([{ finish_reason: "tool_calls", message: { tool_calls: [CALL] } }]);
    const streamed = await openaiClient.chat.completions.stream(ask).finalChatCompletion();
    expect(streamed.choices).toMatchObject([{ message: { tool_calls: [CALL] } }]);
    const result = { role: "tool", tool_call_id: CALL.id, content: "Sunny." };
    const called = { role: "assistant", tool_calls: [CALL] };
    cohere.calls.splice(0);
    await chat({ tools: [FUNCTION], messages: [USER, called, result] });
    expect(sent()).toMatchObject({ tools: [FUNCTION], messages: [USER, called, result] });
  });

  test.each<[string, object, object]>([
    ["an effort", { reasoning_effort: "low" }, { reasoning_effort: "high" }],
    ["the effort none", { reasoning_effort: "none" }, { reasoning_effort: "none" }],
    ["thinking that is off", { chat_template_kwargs: { enable_thinking: false } }, { reasoning_effort: "none" }],
    ["thinking that is on", { chat_template_kwargs: { enable_thinking: true } }, { reasoning_effort: "high" }],
    [
      "a schema",
      { response_format: { type: "json_schema", json_schema: { name: "a", schema: SCHEMA, strict: true } } },
      { response_format: { type: "json_object", schema: SCHEMA } },
    ],
    ["JSON", { response_format: { type: "json_object" } }, { response_format: { type: "json_object" } }],
    ["a limit", { max_completion_tokens: 5 }, { max_tokens: 5 }],
    ["nothing", { n: 1, parallel_tool_calls: true, logprobs: false }, {}],
    ["what both have", { seed: 1, stop: ["a"], top_p: 0.5 }, { seed: 1, stop: ["a"], top_p: 0.5 }],
  ])("%s is sent in the form of Cohere", async (_what, fields, expected) => {
    expect((await chat(fields)).status).toBe(200);
    expect(sent()).toEqual({ model: NAME, messages: [USER], ...expected });
  });

  test("what it has no place for is left out and named, and refused where the call is strict", async () => {
    const assistant = { role: "assistant", content: "Yes.", reasoning_content: "Hm." };
    const body = { messages: [USER, assistant, USER], n: 2, top_k: 5, logit_bias: { 5: 1 }, input_type: "a" };
    const { status, headers } = await chat(body);
    expect(status).toBe(200);
    expect(headers.get("x-ignored-params")?.split(", ").toSorted()).toEqual([
      "input_type",
      "logit_bias",
      "messages.reasoning_content",
      "n",
      "top_k",
    ]);
    expect(sent()).toEqual({ model: NAME, messages: [USER, { role: "assistant", content: "Yes." }, USER] });
    const strict = await chat(body, { "x-strict-params": "1" });
    expect([strict.status, errorOf(strict.body).code]).toEqual([400, "unsupported_parameter"]);
  });

  test("images are sent as they came, and sound is refused with a sentence", async () => {
    await server.db.updateTable("models").set({ input_modalities: MODALITIES }).where("id", "=", MODEL).execute();
    server.api.catalogue.callableModels.invalidate();
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,aWNv", detail: "low" } };
    const ask = (part: object) =>
      chat({ messages: [{ role: "user", content: [{ type: "text", text: "What?" }, part] }] });
    expect((await ask(image)).status).toBe(200);
    expect(sent()?.messages).toEqual([{ role: "user", content: [{ type: "text", text: "What?" }, image] }]);
    const { status, body } = await ask({ type: "input_audio", input_audio: { data: "aWNv", format: "wav" } });
    expect([status, errorOf(body).code]).toEqual([400, "unsupported_modality"]);
  });

  test("vectors come from its own call, for documents unless another use is named", async () => {
    const answer = await openaiClient.embeddings.create({ model: MODEL, input: TEXTS });
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([
      [0.5, 0.5],
      [1.5, 1.5],
      [2.5, 2.5],
    ]);
    expect(answer.usage).toEqual({ prompt_tokens: 7, total_tokens: 7 });
    const request = { model: NAME, embedding_types: ["float"] };
    expect(cohere.calls).toEqual([
      { path: "/v2/embed", body: { ...request, texts: TEXTS, input_type: "search_document" } },
    ]);
    cohere.calls.splice(0);
    await call("/v1/embeddings", { input: "a", input_type: "search_query", dimensions: 256, truncate: "END" });
    expect(sent()).toEqual({
      ...request,
      texts: ["a"],
      input_type: "search_query",
      output_dimension: 256,
      truncate: "END",
    });
  });

  test("more texts than a call may have are refused with their number", async () => {
    const { status, body } = await call("/v1/embeddings", { input: Array(97).fill("a") });
    expect([status, errorOf(body)]).toMatchObject([
      400,
      { code: "unsupported_parameter", param: "input", message: expect.stringContaining("at most 96 texts") },
    ]);
    expect(cohere.calls).toEqual([]);
  });

  test("texts are ordered by its scores", async () => {
    cohere.answer({ scores: [0.1, 0.8, 0.3] });
    const ask = { query: "What are feathers made of?", documents: TEXTS };
    expect((await call("/v1/rerank", { ...ask, top_n: 1, max_tokens_per_doc: 100 })).body).toMatchObject({
      results: [{ index: 1, relevance_score: 0.8 }],
    });
    expect(cohere.calls).toEqual([{ path: "/v2/rerank", body: { model: NAME, ...ask, max_tokens_per_doc: 100 } }]);
  });

  test("classifications are refused, since it has none", async () => {
    const { status, body } = await call("/v1/moderations", { input: "a" });
    expect([status, errorOf(body).code]).toEqual([400, "unsupported_parameter"]);
  });

  test("a stream that ends early is an error, and no clean end", async () => {
    cohere.answer({ message: { content: TEXT }, fault: { kind: "cut" } });
    const { text } = await chat({ stream: true });
    expect(text).toContain('"error"');
    expect(text).not.toContain("[DONE]");
  });

  test.each<[string, CohereScript["fault"], number, string]>([
    ["a wrong key", { kind: "refuse", status: 401, message: "invalid api token" }, 502, "upstream_error"],
    [
      "too many calls",
      { kind: "refuse", status: 429, message: "You are using a Trial key" },
      429,
      "rate_limit_exceeded",
    ],
    ["a failure", { kind: "refuse", status: 500, message: "internal server error" }, 502, "upstream_error"],
  ])("%s is told to callers", async (_what, fault, expected, code) => {
    cohere.answer(fault ? { fault } : {});
    const { status, body } = await chat({});
    expect([status, errorOf(body).code]).toEqual([expected, code]);
  });
});

test("the models of Cohere that answer calls are listed with their context", async () => {
  const models = [
    { name: "command-a", endpoints: ["chat", "generate"], context_length: 288_000, features: ["tools"] },
    { name: "embed-a", endpoints: ["embed"], context_length: 512 },
    { name: "rerank-a", endpoints: ["rerank"], context_length: 4096 },
    { name: "old", endpoints: ["generate"], context_length: 4096 },
    { name: "gone", endpoints: ["chat"], is_deprecated: true },
    { endpoints: ["chat"] },
  ];
  cohere.answer({ models });
  expect(await listModels(`${cohere.baseUrl}/`, COHERE_KEY, { api: "cohere" })).toMatchObject({
    ok: true,
    program: "cohere",
    models: [
      { name: "command-a", contextLength: 288_000, place: { abilities: { tools: true } } },
      { name: "embed-a", contextLength: 512 },
      { name: "rerank-a", contextLength: 4096 },
    ],
  });
  expect(await listModels(cohere.baseUrl, "wrong", { api: "cohere" })).toMatchObject({ ok: false, problem: "key" });
});
