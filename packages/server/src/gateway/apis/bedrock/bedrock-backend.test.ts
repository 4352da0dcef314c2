import Anthropic from "@anthropic-ai/sdk";
import {
  AccessDeniedException,
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type Message,
  ThrottlingException,
  ValidationException,
} from "@aws-sdk/client-bedrock-runtime";
import { streamedText } from "@feather/testing/chat-events";
import { BEDROCK_KEY, BEDROCK_SIGNING_KEY, type BedrockScript, startFakeBedrock } from "@feather/testing/fake-bedrock";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../../testing/server.ts";

const MODEL = "feather/demo";
const CLAUDE = "eu.anthropic.claude-test-1-v1:0";
const NOVA = "eu.amazon.nova-2-lite-v1:0";
const LLAMA = "meta.llama-test-v1:0";
const USER = { role: "user" as const, content: "Hello" };
const THOUGHT = { reasoningContent: { reasoningText: { text: "The user greets.", signature: "c2lnbmVk" } } };
const HIDDEN = { reasoningContent: { redactedContent: "aGlkZGVu" } };
const TEXT = { text: "Hello there!" };
const CALL = { toolUse: { toolUseId: "tooluse_1", name: "weather", input: { city: "Oslo" } } };
const SECOND = { toolUse: { toolUseId: "tooluse_2", name: "weather", input: {} } };
const SCHEMA = { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] };
const FUNCTION = {
  type: "function" as const,
  function: { name: "weather", description: "Tells it.", parameters: SCHEMA },
};
const SIGNED_KEY = Object.values(BEDROCK_SIGNING_KEY).join(":");

let server: TestServer;
let bedrock: Awaited<ReturnType<typeof startFakeBedrock>>;
let openaiClient: OpenAI;
let anthropicClient: Anthropic;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  bedrock = await startFakeBedrock();
  const { secret } = await server.createKey(await server.signUpOnPlan({}));
  token = secret;
  openaiClient = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
  anthropicClient = new Anthropic({ apiKey: secret, baseURL: server.url, maxRetries: 0 });
});
beforeEach(() => {
  bedrock.answer({ content: [TEXT] });
  bedrock.calls.splice(0);
  addBackend(CLAUDE);
});
afterEach(() => server.removeUpstreams());
afterAll(async () => {
  await server.close();
  await bedrock.close();
});

function addBackend(name: string, apiKey: string = BEDROCK_KEY): void {
  const api = "bedrock" as const;
  server.addBackend({ name: api, baseUrl: bedrock.baseUrl, api, program: api, apiKey, models: { [MODEL]: name } });
}
const call = (path: string, body: object, headers: Record<string, string> = {}) =>
  server.call(path, { token, body, headers });

describe("the stand-in for Bedrock", () => {
  const messages: Message[] = [{ role: "user", content: [{ text: "Hello" }] }];
  const ask = { modelId: CLAUDE, messages };

  /** Returns the official client, which otherwise speaks HTTP/2. It adds fields to its credentials. */
  function createClient(
    key: Pick<ConstructorParameters<typeof BedrockRuntimeClient>[0] & object, "credentials" | "token">,
  ) {
    return new BedrockRuntimeClient({
      ...key,
      region: "eu-central-1",
      endpoint: bedrock.baseUrl,
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
      authSchemePreference: [key.token === undefined ? "sigv4" : "httpBearerAuth"],
    });
  }

  test.each([
    ["a signed request", { credentials: { ...BEDROCK_SIGNING_KEY } }],
    ["a key of Bedrock's own", { token: { token: BEDROCK_KEY } }],
  ])("the official client gets every block of an answer to %s, buffered and streamed", async (_what, key) => {
    const content = [THOUGHT, TEXT, CALL];
    bedrock.answer({ content, stopReason: "tool_use" });
    const client = createClient(key);
    const answer = await client.send(new ConverseCommand(ask));
    expect(answer).toMatchObject({
      output: { message: { content } },
      stopReason: "tool_use",
      usage: { inputTokens: 7 },
    });
    const { stream } = await client.send(new ConverseStreamCommand(ask));
    const events: ConverseStreamOutput[] = [];
    for await (const event of stream ?? []) events.push(event);
    const text = events.map(({ contentBlockDelta }) => contentBlockDelta?.delta?.text ?? "").join("");
    expect(text).toBe(TEXT.text);
    expect(events.at(-1)).toMatchObject({ metadata: { usage: { outputTokens: 5 } } });
  });

  test("the official client throws its errors for the refusals of the stand-in", async () => {
    const wrong = createClient({ credentials: { ...BEDROCK_SIGNING_KEY, secretAccessKey: "wrong" } });
    await expect(wrong.send(new ConverseCommand(ask))).rejects.toBeInstanceOf(AccessDeniedException);
    const client = createClient({ credentials: { ...BEDROCK_SIGNING_KEY } });
    const blank = { ...ask, messages: [{ role: "user" as const, content: [{ text: " " }] }] };
    await expect(client.send(new ConverseCommand(blank))).rejects.toBeInstanceOf(ValidationException);
    bedrock.answer({ fault: { kind: "exception event", at: 2, exception: "throttlingException", message: "Slow" } });
    const { stream } = await client.send(new ConverseStreamCommand(ask));
    const read = async () => {
      for await (const _event of stream ?? []);
    };
    await expect(read()).rejects.toBeInstanceOf(ThrottlingException);
  });
});

describe("a backend with Bedrock's API", () => {
  test.each([
    ["a key of Bedrock's own", BEDROCK_KEY],
    ["a key that signs", SIGNED_KEY],
  ])("chat completions get its answer with %s, buffered and streamed", async (_what, apiKey) => {
    addBackend(CLAUDE, apiKey);
    bedrock.answer({ content: [THOUGHT, TEXT] });
    const ask = {
      model: MODEL,
      messages: [{ role: "system" as const, content: "Be brief." }, USER],
      temperature: 0.5,
      top_p: 0.9,
      max_completion_tokens: 77,
      stop: "END",
    };
    const answer = await openaiClient.chat.completions.create(ask);
    expect(answer.choices).toMatchObject([
      { finish_reason: "stop", message: { content: TEXT.text, reasoning_content: "The user greets." } },
    ]);
    expect(answer.usage).toMatchObject({
      prompt_tokens: 57,
      completion_tokens: 5,
      total_tokens: 62,
      prompt_tokens_details: { cached_tokens: 30 },
    });
    expect(bedrock.calls).toEqual([
      {
        model: CLAUDE,
        method: "converse",
        body: {
          system: [{ text: "Be brief." }],
          messages: [{ role: "user", content: [{ text: "Hello" }] }],
          inferenceConfig: { temperature: 0.5, topP: 0.9, maxTokens: 77, stopSequences: ["END"] },
        },
      },
    ]);
    const { text } = await call("/v1/chat/completions", { ...ask, stream: true });
    expect([streamedText(text), bedrock.calls[1]?.method]).toEqual([TEXT.text, "converse-stream"]);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("a key that signs is not sent itself, and a wrong one is reported without it", async () => {
    addBackend(CLAUDE, SIGNED_KEY);
    await openaiClient.chat.completions.create({ model: MODEL, messages: [USER] });
    expect(JSON.stringify(bedrock.requests.at(-1)?.headers)).not.toContain(BEDROCK_SIGNING_KEY.secretAccessKey);
    addBackend(CLAUDE, SIGNED_KEY.replace("wJalr", "wrong"));
    const { status, text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER] });
    expect([status, text]).toEqual([502, expect.stringContaining("upstream_error")]);
    expect(text).not.toContain("wrong");
  });

  test.each([true, false])("tools are called in parallel, and get their results: streamed %s", async (stream) => {
    bedrock.answer({ content: [{ text: "I look." }, CALL, SECOND], stopReason: "tool_use" });
    const ask = { model: MODEL, messages: [USER], tools: [FUNCTION], tool_choice: "required" as const };
    const { choices } = stream
      ? await openaiClient.chat.completions.stream(ask).finalChatCompletion()
      : await openaiClient.chat.completions.create(ask);
    expect(choices).toMatchObject([
      {
        finish_reason: "tool_calls",
        message: {
          content: "I look.",
          tool_calls: [
            { id: "tooluse_1", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
            { id: "tooluse_2", function: { name: "weather", arguments: "{}" } },
          ],
        },
      },
    ]);
    expect(bedrock.calls[0]?.body.toolConfig).toEqual({
      tools: [{ toolSpec: { name: "weather", description: "Tells it.", inputSchema: { json: SCHEMA } } }],
      toolChoice: { any: {} },
    });
    const results = ["7 °C", ""].map((content, at) => ({
      role: "tool" as const,
      tool_call_id: `tooluse_${at + 1}`,
      content,
    }));
    const messages = [USER, ...choices.map(({ message }) => message), ...results, USER];
    const choice = { type: "function" as const, function: { name: "weather" } };
    await openaiClient.chat.completions.create({ ...ask, tool_choice: choice, messages });
    expect(bedrock.calls.at(-1)?.body).toMatchObject({ toolConfig: { toolChoice: { tool: { name: "weather" } } } });
    expect(bedrock.calls.at(-1)?.body.messages).toEqual([
      { role: "user", content: [{ text: "Hello" }] },
      { role: "assistant", content: [{ text: "I look." }, CALL, SECOND] },
      {
        role: "user",
        content: [
          { toolResult: { toolUseId: "tooluse_1", content: [{ text: "7 °C" }] } },
          { toolResult: { toolUseId: "tooluse_2", content: [{ text: "" }] } },
          { text: "Hello" },
        ],
      },
    ]);
  });

  test("ids of calls that another backend has given are sent in a form that the API takes", async () => {
    const id = `functions.weather:${"0".repeat(80)}`;
    const tool_calls = [{ id, type: "function", function: { name: "weather", arguments: "" } }];
    const messages = [
      USER,
      { role: "assistant", content: "\n", tool_calls },
      { role: "tool", tool_call_id: id, content: [{ type: "text", text: "7 °C" }] },
    ];
    const { status } = await call("/v1/chat/completions", { model: MODEL, messages, tools: [FUNCTION] });
    const toolUseId = "0".repeat(64);
    expect([status, bedrock.calls[0]?.body.messages]).toEqual([
      200,
      [
        { role: "user", content: [{ text: "Hello" }] },
        { role: "assistant", content: [{ toolUse: { toolUseId, name: "weather", input: {} } }] },
        { role: "user", content: [{ toolResult: { toolUseId, content: [{ text: "7 °C" }] } }] },
      ],
    ]);
  });

  test("tools are left out if none may be called, which is refused in a conversation with calls", async () => {
    const ask = { model: MODEL, messages: [USER], tools: [FUNCTION], tool_choice: "none" };
    await call("/v1/chat/completions", ask);
    expect(bedrock.calls[0]?.body.toolConfig).toBeUndefined();
    const tool_calls = [{ id: "c", type: "function", function: { name: "weather", arguments: "{}" } }];
    const messages = [USER, { role: "assistant", tool_calls }, { role: "tool", tool_call_id: "c", content: "7 °C" }];
    const { status, text } = await call("/v1/chat/completions", { ...ask, messages });
    expect([status, text]).toEqual([400, expect.stringContaining("cannot be kept from calling tools")]);
  });

  test("the official Anthropic client gets signed reasoning, and the backend gets it back unchanged", async () => {
    const content = [THOUGHT, HIDDEN, TEXT, CALL];
    bedrock.answer({ content, stopReason: "tool_use" });
    const thinking = { type: "enabled" as const, budget_tokens: 1024 };
    const tools = [{ name: "weather", input_schema: SCHEMA }];
    const ask = { model: MODEL, max_tokens: 2000, thinking, tools, top_k: 5, messages: [USER] };
    const buffered = await anthropicClient.messages.create(ask);
    const streamed = await anthropicClient.messages.stream(ask).finalMessage();
    for (const message of [buffered, streamed]) {
      expect(message.content).toEqual([
        { type: "thinking", thinking: "The user greets.", signature: "c2lnbmVk" },
        { type: "redacted_thinking", data: "aGlkZGVu" },
        { type: "text", text: TEXT.text },
        { type: "tool_use", id: "tooluse_1", name: "weather", input: { city: "Oslo" } },
      ]);
      expect(message.usage).toMatchObject({
        input_tokens: 7,
        cache_read_input_tokens: 30,
        cache_creation_input_tokens: 20,
        output_tokens: 5,
      });
      const result = { type: "tool_result" as const, tool_use_id: "tooluse_1", content: "7 °C" };
      const turn = { role: "assistant" as const, content: message.content };
      await anthropicClient.messages.create({ ...ask, messages: [USER, turn, { role: "user", content: [result] }] });
      expect(bedrock.calls.at(-1)?.body).toMatchObject({
        inferenceConfig: { maxTokens: 2000 },
        additionalModelRequestFields: { thinking, top_k: 5 },
        messages: [{}, { role: "assistant", content }, { role: "user" }],
      });
    }
  });

  test("signed reasoning that chat completions send back reaches the backend", async () => {
    bedrock.answer({ content: [THOUGHT, HIDDEN, TEXT] });
    const { choices } = await openaiClient.chat.completions.create({ model: MODEL, messages: [USER] });
    const messages = [USER, ...choices.map(({ message }) => message), USER];
    await openaiClient.chat.completions.create({ model: MODEL, messages });
    expect(bedrock.calls.at(-1)?.body.messages).toMatchObject([{}, { content: [THOUGHT, HIDDEN, TEXT] }, {}]);
  });

  test("marks of what is cached become points of the cache for Anthropic's models", async () => {
    const cache_control = { type: "ephemeral" as const, ttl: "1h" as const };
    const content = [{ type: "text" as const, text: "Hello", cache_control: { type: "ephemeral" as const } }];
    const { response } = await anthropicClient.messages
      .create({
        cache_control,
        model: MODEL,
        max_tokens: 50,
        system: [{ type: "text", text: "One.", cache_control }],
        tools: [{ name: "weather", input_schema: SCHEMA, cache_control }],
        messages: [{ role: "user", content }],
      })
      .withResponse();
    const point = { cachePoint: { type: "default", ttl: "1h" } };
    expect(bedrock.calls[0]?.body).toMatchObject({
      system: [{ text: "One." }, point],
      toolConfig: { tools: [{ toolSpec: { name: "weather" } }, point] },
      messages: [{ role: "user", content: [{ text: "Hello" }, { cachePoint: { type: "default" } }] }],
    });
    expect(response.headers.get("x-ignored-params")).toBeNull();
    await anthropicClient.messages.create({ model: MODEL, max_tokens: 50, cache_control, messages: [USER] });
    expect(bedrock.calls[1]?.body.messages).toEqual([{ role: "user", content: [{ text: "Hello" }, point] }]);
  });

  test("marks of what is cached and signed reasoning are named for other models, and not sent", async () => {
    addBackend(LLAMA);
    const reasoning_details = [
      { type: "reasoning.text", text: "Hm.", signature: "c2ln", format: "anthropic-claude-v1" },
    ];
    const part = { type: "text", text: "Hello", cache_control: { type: "ephemeral" } };
    const messages = [
      USER,
      { role: "assistant", content: "Yes.", reasoning_details },
      { role: "user", content: [part] },
    ];
    const { status, headers } = await call("/v1/chat/completions", { model: MODEL, messages });
    expect([status, headers.get("x-ignored-params")?.split(", ").sort()]).toEqual([
      200,
      ["messages.cache_control", "messages.reasoning_details"],
    ]);
    expect(JSON.stringify(bedrock.calls[0]?.body)).not.toMatch(/cachePoint|c2ln/);
    const strict = await call("/v1/chat/completions", { model: MODEL, messages }, { "x-strict-params": "1" });
    expect(strict.status).toBe(400);
  });

  test("pictures, documents, sound and videos are sent as data", async () => {
    const input_modalities = ["text", "image", "audio", "video", "file"];
    await server.db.updateTable("models").set({ input_modalities }).where("id", "=", MODEL).execute();
    server.api.catalogue.callableModels.invalidate();
    const file = { filename: "Plan: März.pdf", file_data: "data:application/pdf;base64,JVBER" };
    const content = [
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } },
      { type: "input_audio", input_audio: { data: "UklGR", format: "wav" } },
      { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } },
      { type: "file", file },
      { type: "file", file: { ...file, filename: file.filename.toUpperCase() } },
      { type: "file", file: { file_data: file.file_data } },
    ];
    const { status } = await call("/v1/chat/completions", { model: MODEL, messages: [{ role: "user", content }] });
    const document = { format: "pdf", source: { bytes: "JVBER" }, name: "Plan-M-rz-pdf" };
    expect([status, bedrock.calls[0]?.body.messages]).toEqual([
      200,
      [
        {
          role: "user",
          content: [
            { text: "What is it?" },
            { image: { format: "png", source: { bytes: "iVBOR" } } },
            { audio: { format: "wav", source: { bytes: "UklGR" } } },
            { video: { format: "mp4", source: { bytes: "AAAA" } } },
            { document },
            { document: { ...document, name: "PLAN-M-RZ-PDF (2)" } },
            { document: { ...document, name: "document" } },
          ],
        },
      ],
    ]);
    const unknown = [{ type: "image_url", image_url: { url: "data:image/tiff;base64,SUkq" } }];
    const refused = await call("/v1/chat/completions", {
      model: MODEL,
      messages: [{ role: "user", content: unknown }],
    });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("takes no pictures of this type")]);
  });

  test("pictures are sent in the results of tools", async () => {
    const source = { type: "base64" as const, media_type: "image/png" as const, data: "iVBOR" };
    const block = { type: "tool_use" as const, id: "t1", name: "weather", input: {} };
    const result = {
      type: "tool_result" as const,
      tool_use_id: "t1",
      content: [
        { type: "text" as const, text: "A map." },
        { type: "image" as const, source },
      ],
    };
    await anthropicClient.messages.create({
      model: MODEL,
      max_tokens: 50,
      tools: [{ name: "weather", input_schema: SCHEMA }],
      messages: [USER, { role: "assistant", content: [block] }, { role: "user", content: [result] }],
    });
    const image = { format: "png", source: { bytes: "iVBOR" } };
    expect(bedrock.calls[0]?.body.messages).toMatchObject([
      {},
      {},
      { content: [{ toolResult: { toolUseId: "t1", content: [{ text: "A map." }, { image }] } }] },
    ]);
  });

  test.each<[string, string, object]>([
    [
      CLAUDE,
      "minimal",
      { additionalModelRequestFields: { thinking: { type: "adaptive" }, top_k: 5 }, outputConfig: { effort: "low" } },
    ],
    [CLAUDE, "none", { additionalModelRequestFields: { thinking: { type: "disabled" }, top_k: 5 } }],
    [
      NOVA,
      "xhigh",
      {
        additionalModelRequestFields: {
          inferenceConfig: { topK: 5 },
          reasoningConfig: { type: "enabled", maxReasoningEffort: "high" },
        },
      },
    ],
    [
      NOVA,
      "none",
      { additionalModelRequestFields: { inferenceConfig: { topK: 5 }, reasoningConfig: { type: "disabled" } } },
    ],
    [LLAMA, "low", { additionalModelRequestFields: { top_k: 5, reasoning_effort: "low" } }],
  ])("what only some models have reaches %s: effort %s", async (name, reasoning_effort, expected) => {
    addBackend(name);
    await call("/v1/chat/completions", { model: MODEL, messages: [USER], reasoning_effort, top_k: 5 });
    const { messages: _messages, ...fields } = bedrock.calls[0]?.body ?? {};
    expect(fields).toEqual(expected);
  });

  test("a model says which field it does not have", async () => {
    addBackend(LLAMA);
    const { status, text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER], top_k: 5 });
    expect([status, text]).toEqual([400, expect.stringContaining("the field top_k")]);
  });

  test("a schema of the answer is passed on, and what has no place is named", async () => {
    const response_format = { type: "json_schema", json_schema: { name: "a", schema: SCHEMA } };
    const others = { seed: 1, user: "u-1", logit_bias: { 1: 1 }, parallel_tool_calls: false, tools: [FUNCTION] };
    const ask = { model: MODEL, messages: [USER], response_format, ...others };
    const { headers } = await call("/v1/chat/completions", ask);
    const jsonSchema = { name: "a", schema: JSON.stringify(SCHEMA) };
    expect(bedrock.calls[0]?.body.outputConfig).toEqual({
      textFormat: { type: "json_schema", structure: { jsonSchema } },
    });
    expect(headers.get("x-ignored-params")?.split(", ").sort()).toEqual([
      "logit_bias",
      "parallel_tool_calls",
      "seed",
      "user",
    ]);
  });

  test("responses and text completions get its answer, buffered and streamed", async () => {
    const response = await openaiClient.responses.create({ model: MODEL, input: "Hello" });
    expect([response.output_text, response.usage?.output_tokens]).toEqual([TEXT.text, 5]);
    let text = "";
    for await (const event of await openaiClient.responses.create({ model: MODEL, input: "Hello", stream: true }))
      if (event.type === "response.output_text.delta") text += event.delta;
    expect(text).toBe(TEXT.text);
    const { choices } = await openaiClient.completions.create({ model: MODEL, prompt: "Once" });
    expect(choices).toMatchObject([{ text: TEXT.text, finish_reason: "stop" }]);
    let streamed = "";
    for await (const chunk of await openaiClient.completions.create({ model: MODEL, prompt: "Once", stream: true }))
      streamed += chunk.choices[0]?.text ?? "";
    expect(streamed).toBe(TEXT.text);
  });

  test.each([
    ["max_tokens", "length"],
    ["content_filtered", "content_filter"],
    ["guardrail_intervened", "content_filter"],
    ["stop_sequence", "stop"],
    ["model_context_window_exceeded", "length"],
  ])("the stop reason %s becomes the finish reason %s", async (stopReason, finishReason) => {
    bedrock.answer({ content: [TEXT], stopReason });
    for (const stream of [false, true]) {
      const { text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER], stream });
      expect(text).toContain(`"finish_reason":"${finishReason}"`);
    }
  });

  test.each(["malformed_model_output", "malformed_tool_use"])("the stop reason %s is an error", async (stopReason) => {
    bedrock.answer({ content: [TEXT], stopReason });
    for (const stream of [false, true]) {
      const { text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER], stream });
      expect(text).toContain("upstream_error");
    }
  });

  test.each<[string, number, string, number, string]>([
    ["ThrottlingException", 429, "Too many requests", 429, "rate_limit_exceeded"],
    ["ServiceQuotaExceededException", 400, "Quota", 429, "rate_limit_exceeded"],
    ["ServiceUnavailableException", 503, "Overloaded", 503, "capacity_exhausted"],
    ["ModelNotReadyException", 429, "Not ready", 503, "model_loading"],
    ["ModelTimeoutException", 408, "Too slow", 502, "upstream_error"],
    ["ModelErrorException", 424, "Failed", 502, "upstream_error"],
    ["InternalServerException", 500, "Failed", 502, "upstream_error"],
    ["AccessDeniedException", 403, "No access", 502, "upstream_error"],
    ["ResourceNotFoundException", 404, "The specified resource ARN was not found.", 502, "upstream_error"],
    ["ValidationException", 400, "The provided model identifier is invalid.", 502, "upstream_error"],
    ["ValidationException", 400, "Input is too long for requested model.", 400, "context_length_exceeded"],
    ["ValidationException", 400, "Something else", 400, "invalid_request"],
  ])("the caller gets an error for the %s with status %s: %s", async (exception, status, message, expected, code) => {
    const lowered = exception.charAt(0).toLowerCase() + exception.slice(1);
    const faults: NonNullable<BedrockScript["fault"]>[] = [
      { kind: "refuse", status, exception, message },
      { kind: "exception event", at: 0, exception: lowered, message },
    ];
    for (const fault of faults) {
      bedrock.answer({ fault });
      const stream = fault.kind === "exception event";
      const ask = { model: MODEL, messages: [USER], stream };
      const answer = await call("/v1/chat/completions", ask, { "x-wait-for-model": "0" });
      expect([fault.kind, answer.status, answer.text]).toEqual([fault.kind, expected, expect.stringContaining(code)]);
    }
  });

  test.each<NonNullable<BedrockScript["fault"]>>([
    { kind: "exception event", at: 3, exception: "modelStreamErrorException", message: "Failed" },
    { kind: "cut" },
    { kind: "damage" },
  ])("a stream that breaks ends in an error for the caller: $kind", async (fault) => {
    bedrock.answer({ content: [{ text: "Hello there, how are you?" }], fault });
    const { text } = await call("/v1/chat/completions", { model: MODEL, messages: [USER], stream: true });
    expect([text.includes("upstream_error"), text.includes("[DONE]")]).toEqual([true, false]);
  });

  test("embeddings and JSON without a schema are refused in words", async () => {
    const embedding = await call("/v1/embeddings", { model: MODEL, input: "x" });
    expect([embedding.status, embedding.text]).toEqual([400, expect.stringContaining("gives no embeddings")]);
    const response_format = { type: "json_object" };
    const json = await call("/v1/chat/completions", { model: MODEL, messages: [USER], response_format });
    expect([json.status, json.text]).toEqual([400, expect.stringContaining("writes JSON only by a schema")]);
  });
});
