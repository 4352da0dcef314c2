import Anthropic from "@anthropic-ai/sdk";
import { streamedText } from "@feather/testing/chat-events";
import { GEMINI_KEY, type GeminiScript, startFakeGemini } from "@feather/testing/fake-gemini";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../../testing/server.ts";

const MODEL = "feather/demo";
const NAME = "gemini-3-test";
const USER = { role: "user" as const, content: "Hello" };
const THOUGHT = { text: "The user greets.", thought: true };
const TEXT = { text: "Hello there!" };
const CALL = { functionCall: { name: "weather", args: { city: "Oslo" } }, thoughtSignature: "c2lnbmVk" };
const SECOND = { functionCall: { id: "own-2", name: "weather", args: {} } };
const SCHEMA = { type: "object" as const, properties: { city: { type: "string" } } };
const FUNCTION = {
  type: "function" as const,
  function: { name: "weather", description: "Tells it.", parameters: SCHEMA },
};

let server: TestServer;
let gemini: Awaited<ReturnType<typeof startFakeGemini>>;
let openaiClient: OpenAI;
let anthropicClient: Anthropic;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  gemini = await startFakeGemini();
  const { secret } = await server.createKey(await server.signUpOnPlan({}));
  token = secret;
  openaiClient = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
  anthropicClient = new Anthropic({ apiKey: secret, baseURL: server.url, maxRetries: 0 });
});
beforeEach(() => {
  gemini.answer({ parts: [TEXT] });
  gemini.calls.splice(0);
  addBackend(NAME);
});
afterEach(() => server.removeUpstreams());
afterAll(async () => {
  await server.close();
  await gemini.close();
});

function addBackend(name: string): void {
  const api = "gemini" as const;
  server.addBackend({
    name: api,
    baseUrl: gemini.baseUrl,
    api,
    program: api,
    apiKey: GEMINI_KEY,
    models: { [MODEL]: name },
  });
}
const call = (path: string, body: object) => server.call(path, { token, body });

describe("the stand-in for Google's API", () => {
  const direct = (apiKey: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gemini.origin } });

  test("the official client gets every part of an answer of the stand-in, whole and as a stream", async () => {
    gemini.answer({ parts: [THOUGHT, TEXT, CALL] });
    const ask = { model: NAME, contents: "Hello" };
    const answer = await direct(GEMINI_KEY).models.generateContent(ask);
    expect(answer.candidates).toMatchObject([{ content: { parts: [THOUGHT, TEXT, CALL] }, finishReason: "STOP" }]);
    const parts: unknown[] = [];
    for await (const chunk of await direct(GEMINI_KEY).models.generateContentStream(ask))
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    expect(parts).toEqual([THOUGHT, TEXT, CALL]);
  });

  test("the official client throws its error for a wrong key", async () => {
    const ask = direct("AIza-wrong").models.generateContent({ model: NAME, contents: "Hello" });
    await expect(ask).rejects.toBeInstanceOf(ApiError);
  });
});

describe("a backend with Google's API", () => {
  test("chat completions get its answer, buffered and streamed", async () => {
    gemini.answer({ parts: [THOUGHT, TEXT] });
    const ask = {
      model: MODEL,
      messages: [{ role: "system" as const, content: "Be brief." }, USER],
      temperature: 0.5,
      top_p: 0.9,
      max_completion_tokens: 77,
      stop: ["END"],
      seed: 7,
    };
    const answer = await openaiClient.chat.completions.create(ask);
    expect(answer.choices).toMatchObject([
      { finish_reason: "stop", message: { content: TEXT.text, reasoning_content: THOUGHT.text } },
    ]);
    expect(answer.usage).toMatchObject({
      prompt_tokens: 40,
      completion_tokens: 7,
      total_tokens: 47,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 2 },
    });
    expect(gemini.calls).toEqual([
      {
        model: NAME,
        method: "generateContent",
        body: {
          systemInstruction: { parts: [{ text: "Be brief." }] },
          contents: [{ role: "user", parts: [{ text: "Hello" }] }],
          generationConfig: { temperature: 0.5, topP: 0.9, maxOutputTokens: 77, stopSequences: ["END"], seed: 7 },
        },
      },
    ]);
    const { text } = await call("/v1/chat/completions", { ...ask, stream: true });
    expect(streamedText(text)).toBe(TEXT.text);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test.each([true, false])(
    "tools are called in parallel, and their signatures come back: streamed %s",
    async (stream) => {
      gemini.answer({ parts: [{ text: "I look." }, CALL, SECOND] });
      const ask = { model: MODEL, messages: [USER], tools: [FUNCTION], tool_choice: "required" as const };
      const { choices } = stream
        ? await openaiClient.chat.completions.stream(ask).finalChatCompletion()
        : await openaiClient.chat.completions.create(ask);
      const [id, other] = ["call_r1_0_0", "own-2"];
      expect(choices).toMatchObject([
        {
          finish_reason: "tool_calls",
          message: {
            content: "I look.",
            tool_calls: [
              { id, function: { name: "weather", arguments: '{"city":"Oslo"}' } },
              { id: other, function: { name: "weather", arguments: "{}" } },
            ],
          },
        },
      ]);
      expect(gemini.calls[0]?.body).toMatchObject({
        tools: [
          { functionDeclarations: [{ name: "weather", description: "Tells it.", parametersJsonSchema: SCHEMA }] },
        ],
        toolConfig: { functionCallingConfig: { mode: "ANY" } },
      });
      const results = [id, other].map((tool_call_id) => ({ role: "tool" as const, tool_call_id, content: "7 °C" }));
      const messages = [USER, ...choices.map(({ message }) => message), ...results];
      await openaiClient.chat.completions.create({ ...ask, tool_choice: "auto", messages });
      expect(gemini.calls.at(-1)?.body.contents).toEqual([
        { role: "user", parts: [{ text: "Hello" }] },
        {
          role: "model",
          parts: [
            { text: "I look." },
            { functionCall: { id, name: "weather", args: { city: "Oslo" } }, thoughtSignature: CALL.thoughtSignature },
            { functionCall: { id: other, name: "weather", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [id, other].map((each) => ({
            functionResponse: { id: each, name: "weather", response: { result: "7 °C" } },
          })),
        },
      ]);
    },
  );

  test("the official Anthropic client sends signatures back", async () => {
    gemini.answer({ parts: [CALL] });
    const ask = { model: MODEL, max_tokens: 50, messages: [USER], tools: [{ name: "weather", input_schema: SCHEMA }] };
    for (const message of [
      await anthropicClient.messages.create(ask),
      await anthropicClient.messages.stream(ask).finalMessage(),
    ]) {
      expect(message.content).toMatchObject([{ type: "redacted_thinking" }, { type: "tool_use", name: "weather" }]);
      const result = { type: "tool_result" as const, tool_use_id: "call_r1_0_0", content: "7 °C" };
      const turn = { role: "assistant" as const, content: message.content };
      await anthropicClient.messages.create({ ...ask, messages: [USER, turn, { role: "user", content: [result] }] });
      expect(gemini.calls.at(-1)?.body.contents).toMatchObject([
        {},
        { parts: [{ functionCall: { name: "weather" }, thoughtSignature: CALL.thoughtSignature }] },
        {},
      ]);
    }
  });

  test("a call that another model has made is sent with the mark that the provider has for it", async () => {
    const tool_calls = [{ id: "c", type: "function" as const, function: { name: "weather", arguments: "{}" } }];
    const messages = [
      USER,
      { role: "assistant" as const, tool_calls },
      { role: "tool" as const, tool_call_id: "c", content: "7 °C" },
    ];
    await openaiClient.chat.completions.create({ model: MODEL, messages, tools: [FUNCTION] });
    expect(gemini.calls[0]?.body.contents).toMatchObject([
      {},
      { parts: [{ functionCall: { id: "c" }, thoughtSignature: "skip_thought_signature_validator" }] },
      {},
    ]);
  });

  test("pictures, sound and documents are sent as data", async () => {
    const input_modalities = ["text", "image", "audio", "file"];
    await server.db.updateTable("models").set({ input_modalities }).where("id", "=", MODEL).execute();
    server.api.catalogue.callableModels.invalidate();
    const content = [
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } },
      { type: "input_audio", input_audio: { data: "UklGR", format: "wav" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,JVBER" } },
    ];
    const { status } = await call("/v1/chat/completions", { model: MODEL, messages: [{ role: "user", content }] });
    expect([status, gemini.calls[0]?.body.contents]).toEqual([
      200,
      [
        {
          role: "user",
          parts: [
            { text: "What is it?" },
            { inlineData: { mimeType: "image/png", data: "iVBOR" } },
            { inlineData: { mimeType: "audio/wav", data: "UklGR" } },
            { inlineData: { mimeType: "application/pdf", data: "JVBER" } },
          ],
        },
      ],
    ]);
  });

  test.each([
    [NAME, "low", { includeThoughts: true, thinkingLevel: "LOW" }],
    [NAME, "none", { includeThoughts: false, thinkingLevel: "MINIMAL" }],
    ["gemini-2.5-test", "medium", { includeThoughts: true, thinkingBudget: 8192 }],
    ["gemini-2.5-test", "none", { includeThoughts: false, thinkingBudget: 0 }],
  ])("the effort of reasoning reaches %s: %s", async (name, reasoning_effort, thinkingConfig) => {
    addBackend(name);
    await call("/v1/chat/completions", { model: MODEL, messages: [USER], reasoning_effort });
    expect(gemini.calls[0]?.body.generationConfig).toEqual({ thinkingConfig });
  });

  test("a schema of the answer and what has no place are kept apart", async () => {
    const response_format = { type: "json_schema", json_schema: { name: "a", schema: SCHEMA } };
    const answer = await call("/v1/chat/completions", {
      model: MODEL,
      messages: [USER],
      response_format,
      logit_bias: { 1: 1 },
    });
    expect(gemini.calls[0]?.body.generationConfig).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: SCHEMA,
    });
    expect(answer.headers.get("x-ignored-params")).toBe("logit_bias");
  });

  test("responses, text completions and embeddings are answered", async () => {
    expect((await openaiClient.responses.create({ model: MODEL, input: "Hello" })).output_text).toBe(TEXT.text);
    const { choices } = await openaiClient.completions.create({ model: MODEL, prompt: "Once" });
    expect(choices).toMatchObject([{ text: TEXT.text, finish_reason: "stop" }]);
    let text = "";
    for await (const chunk of await openaiClient.completions.create({ model: MODEL, prompt: "Once", stream: true }))
      text += chunk.choices[0]?.text ?? "";
    expect(text).toBe(TEXT.text);
    const { data } = await openaiClient.embeddings.create({
      model: MODEL,
      input: ["a", "b"],
      encoding_format: "float",
    });
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  test.each([
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
  ])("the finish reason %s becomes %s", async (finishReason, expected) => {
    gemini.answer({ parts: [TEXT], finishReason });
    const { choices } = await openaiClient.chat.completions.create({ model: MODEL, messages: [USER] });
    expect(choices).toMatchObject([{ finish_reason: expected }]);
  });

  test.each<[string, NonNullable<GeminiScript["fault"]>, number, string]>([
    [
      "a quota",
      { kind: "refuse", code: 429, status: "RESOURCE_EXHAUSTED", message: "Quota" },
      429,
      "rate_limit_exceeded",
    ],
    [
      "an overload",
      { kind: "refuse", code: 503, status: "UNAVAILABLE", message: "Overloaded" },
      503,
      "capacity_exhausted",
    ],
    ["a filtered prompt", { kind: "block" }, 200, "content_filter"],
  ])("what stops an answer reaches the caller: %s", async (_what, fault, status, code) => {
    gemini.answer({ fault });
    for (const stream of [false, true]) {
      const answer = await call("/v1/chat/completions", { model: MODEL, messages: [USER], stream });
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(code)]);
    }
  });

  test("an answer with a call that the model got wrong is an error", async () => {
    gemini.answer({ parts: [TEXT], finishReason: "MALFORMED_FUNCTION_CALL" });
    const { status, text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER] });
    expect([status, text]).toEqual([502, expect.stringContaining("upstream_error")]);
  });

  test("a stream that ends early, and a call that the model got wrong, end in an error", async () => {
    for (const script of [
      { parts: [TEXT, TEXT], fault: { kind: "cut" as const } },
      { parts: [TEXT, TEXT], finishReason: "MALFORMED_FUNCTION_CALL" },
    ]) {
      gemini.answer(script);
      const { text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER], stream: true });
      expect([text.includes("upstream_error"), text.includes("[DONE]")]).toEqual([true, false]);
    }
  });
});
