import { afterAll, beforeAll, expect, test } from "vitest";
import {
  demoModelPath,
  openResponse,
  parseEvents,
  type ServedEngine,
  sendHeadersOnly,
  sendRequest,
  serveModel,
  waitUntil,
} from "./testing/engine-process.ts";

const SEQUENCES = 2;
const CONTEXT = 1024;
let engine: ServedEngine;

beforeAll(async () => {
  engine = await serveModel(demoModelPath(), "--sequences", String(SEQUENCES), "--context", String(CONTEXT));
});
afterAll(() => engine[Symbol.asyncDispose]());

const hello = { messages: [{ role: "user", content: "Hello there" }] };

async function post(path: string, body: unknown) {
  const answer = await sendRequest(engine.socket, path, body);
  return { ...answer, json: JSON.parse(answer.body) };
}
const chat = (body: object) => post("/v1/chat/completions", { ...hello, ...body });
const health = async () => JSON.parse((await sendRequest(engine.socket, "/health")).body);

/** Returns a request whose reply only ends with the context: one token is made so likely that no other is generated. */
async function endless() {
  const { json } = await post("/v1/tokenize", { text: "z" });
  return { ...hello, temperature: 0, logit_bias: { [json.tokens[0]]: 100 } };
}

/** Forbids the tokens that end a turn: the demonstration model's three control tokens are the first of its vocabulary. */
const WITHOUT_END = { 0: -100, 1: -100, 2: -100 };

test("health returns the model and the load", async () => {
  expect(await health()).toEqual({
    status: "ok",
    model: "feather/demo",
    active: 0,
    waiting: 0,
    sequences: SEQUENCES,
    context_length: CONTEXT,
  });
});

test("the model is listed, and found by its id in both spellings", async () => {
  const list = JSON.parse((await sendRequest(engine.socket, "/v1/models")).body);
  expect(list).toMatchObject({ object: "list", data: [{ id: "feather/demo", object: "model", owned_by: "feather" }] });
  for (const path of ["/v1/models/feather/demo", "/v1/models/feather%2Fdemo"]) {
    expect(JSON.parse((await sendRequest(engine.socket, path)).body)).toEqual(list.data[0]);
  }
  expect(await sendRequest(engine.socket, "/v1/models/other")).toMatchObject({ status: 404 });
});

test("a chat completion has OpenAI's shape and exact usage", async () => {
  const { status, headers, json } = await chat({ temperature: 0 });
  expect(status).toBe(200);
  expect(headers["x-request-id"]).toBeTruthy();
  expect(json).toMatchObject({ object: "chat.completion", model: "feather/demo" });
  expect(json.choices).toEqual([
    {
      index: 0,
      message: {
        role: "assistant",
        content: expect.stringMatching(/^I am Feather's demonstration model\./),
        refusal: null,
      },
      logprobs: null,
      finish_reason: "stop",
    },
  ]);
  const { prompt_tokens, completion_tokens, total_tokens } = json.usage;
  expect(total_tokens).toBe(prompt_tokens + completion_tokens);
  expect(await chat({ temperature: 0, max_tokens: completion_tokens - 1 })).toMatchObject({
    json: {
      choices: [{ finish_reason: "length" }],
      usage: { prompt_tokens, completion_tokens: completion_tokens - 1 },
    },
  });
});

test("a stream has the exact bytes of OpenAI's format", async () => {
  const { status, headers, body } = await sendRequest(engine.socket, "/v1/chat/completions", {
    ...hello,
    temperature: 0,
    stream: true,
    max_tokens: 2,
  });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "x-request-id": expect.any(String),
  });
  const { id, created } = JSON.parse(body.slice("data: ".length, body.indexOf("\n")));
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({
      id,
      object: "chat.completion.chunk",
      created,
      model: "feather/demo",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    })}\n\n`;
  expect(body).toBe(
    chunk({ role: "assistant", content: "" }) +
      chunk({ content: "I am" }) +
      chunk({ content: " Feather's" }) +
      chunk({}, "length") +
      "data: [DONE]\n\n",
  );
});

test("usage is streamed only if requested, in a chunk without choices before [DONE]", async () => {
  const stream = { ...hello, temperature: 0, stream: true };
  const path = "/v1/chat/completions";
  const without = await sendRequest(engine.socket, path, stream);
  expect(without.body).not.toContain("usage");
  const events = parseEvents(
    (await sendRequest(engine.socket, path, { ...stream, stream_options: { include_usage: true } })).body,
  );
  const { json } = await chat({ temperature: 0 });
  expect(events.at(-1)).toBe("[DONE]");
  expect(events.at(-2)).toMatchObject({ choices: [], usage: json.usage });
  expect(events.slice(0, -2).every((event) => (event as { usage: unknown }).usage === null)).toBe(true);
});

test("a stop text ends the reply and is not returned, also across tokens and in a stream", async () => {
  const { json } = await chat({ temperature: 0, stop: ["stration mo"] });
  expect(json.choices[0]).toMatchObject({ message: { content: "I am Feather's demon" }, finish_reason: "stop" });
  const { body } = await sendRequest(engine.socket, "/v1/chat/completions", {
    ...hello,
    temperature: 0,
    stream: true,
    stop: "stration mo",
  });
  const text = parseEvents(body)
    .slice(0, -1)
    .map((event) => (event as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? "")
    .join("");
  expect(text).toBe("I am Feather's demon");
});

test.each(["/v1/chat/completions", "/v1/completions"])(
  "min_tokens keeps a reply of %s from ending before",
  async (path) => {
    const ask = (more: object) => post(path, { ...hello, prompt: "Hello", temperature: 0, max_tokens: 200, ...more });
    const natural = (await ask({})).json.usage.completion_tokens;
    expect(natural).toBeLessThan(150);
    const longer = await ask({ min_tokens: natural + 5 });
    expect(longer.json.usage.completion_tokens).toBeGreaterThanOrEqual(natural + 5);
    expect((await ask({ min_tokens: natural })).json.usage.completion_tokens).toBe(natural);
  },
);

test.each(["/v1/chat/completions", "/v1/completions"])(
  "a stop token ends a reply of %s and is no part of it",
  async (path) => {
    const body = { ...(await endless()), prompt: "Hello", max_tokens: 50 };
    const [token] = Object.keys(body.logit_bias).map(Number);
    const answers = [{}, { min_tokens: 3 }].map((more) =>
      post(path, { ...body, stop_token_ids: [2_000_000_000, token], ...more }),
    );
    const [first, later] = (await Promise.all(answers)).map(({ json }) => {
      const [{ text, message, finish_reason }] = json.choices;
      return [text?.trim() ?? message.content, finish_reason, json.usage.completion_tokens];
    });
    expect(first).toEqual(["", "stop", 0]);
    expect(later).toEqual(["I am Feather's demonstration model.", "stop", 3]);
  },
);

test("logit_bias reaches the tokens that end a turn", async () => {
  const { json } = await chat({ temperature: 0, max_tokens: 200, logit_bias: WITHOUT_END });
  expect(json.choices[0].finish_reason).toBe("length");
});

test("the same seed gives the same reply, and several choices differ from each other", async () => {
  const one = await chat({ seed: 7 });
  const two = await chat({ seed: 7 });
  expect(one.json.choices).toEqual(two.json.choices);
  const { json } = await chat({ seed: 7, n: 4 });
  expect(json.choices[0].message).toEqual(one.json.choices[0].message);
  const texts = json.choices.map((choice: { message: { content: string } }) => choice.message.content);
  expect(new Set(texts).size).toBeGreaterThan(1);
});

test("a JSON schema is followed", async () => {
  const schema = {
    type: "object",
    properties: {
      answer: { type: "string" },
      count: { type: "integer" },
      sure: { type: "boolean" },
      kinds: { type: "array", items: { enum: ["a", "b"] }, minItems: 1 },
    },
    required: ["answer", "count", "sure", "kinds"],
    additionalProperties: false,
  };
  const response_format = { type: "json_schema", json_schema: { name: "reply", schema } };
  for (const seed of [1, 2, 3]) {
    const { json } = await chat({ response_format, seed });
    expect(JSON.parse(json.choices[0].message.content)).toEqual({
      answer: expect.stringMatching(/^[A-Z].*\.$/),
      count: expect.any(Number),
      sure: expect.any(Boolean),
      kinds: expect.arrayContaining([expect.stringMatching(/^[ab]$/)]),
    });
    expect(json.choices[0].finish_reason).toBe("stop");
  }
});

test("a recursive JSON schema comes to an end", async () => {
  const node = {
    type: "object",
    properties: { value: { type: "number" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
  };
  const json_schema = { name: "list", schema: { $ref: "#/$defs/node", $defs: { node } } };
  const { json } = await chat({ response_format: { type: "json_schema", json_schema } });
  expect(JSON.parse(json.choices[0].message.content)).toHaveProperty("next");
});

test("returns a JSON object of any shape on request", async () => {
  const { json } = await chat({ response_format: { type: "json_object" } });
  expect(JSON.parse(json.choices[0].message.content)).toEqual({ message: expect.any(String) });
});

test("returns log probabilities and their alternatives", async () => {
  const { json } = await chat({ temperature: 1, max_tokens: 2, logprobs: true, top_logprobs: 3, seed: 1 });
  const [first] = json.choices[0].logprobs.content;
  expect(first.top_logprobs).toHaveLength(3);
  expect(Math.exp(first.top_logprobs[0].logprob)).toBeCloseTo(0.5, 1);
  expect(json.choices[0].logprobs.content).toHaveLength(2);
});

test("plain completions continue each prompt, echo it and count exactly", async () => {
  const { json } = await post("/v1/completions", { prompt: ["One", "Two"], temperature: 0, max_tokens: 2, echo: true });
  expect(json).toMatchObject({
    object: "text_completion",
    choices: [
      { index: 0, text: "One I am Feather's demonstration", finish_reason: "length" },
      { index: 1, text: "Two I am Feather's demonstration", finish_reason: "length" },
    ],
    usage: { completion_tokens: 4 },
  });
});

test("tokens are continued like their text, for one prompt and for several", async () => {
  const tokensOf = async (text: string): Promise<number[]> => (await post("/v1/tokenize", { text })).json.tokens;
  const [one, two] = await Promise.all(["One", "Two"].map(tokensOf));
  const ask = async (prompt: unknown) => {
    const { json } = await post("/v1/completions", { prompt, temperature: 0, max_tokens: 2, echo: true });
    return { choices: json.choices, usage: json.usage };
  };
  expect(await ask(one)).toEqual(await ask("One"));
  expect(await ask([one, two])).toEqual(await ask(["One", "Two"]));
});

test("embeddings are numbers or base64 of the same 32-bit floats, and similar for similar texts", async () => {
  const input = ["The cat sat on the mat.", "A cat sat on a mat.", "Prices fell sharply in spring!"];
  const floats = (await post("/v1/embeddings", { input })).json;
  const encoded = (await post("/v1/embeddings", { input, encoding_format: "base64" })).json;
  const vectors: number[][] = floats.data.map((item: { embedding: number[] }) => item.embedding);
  const bytes = Buffer.from(encoded.data[1].embedding, "base64");
  expect(vectors[1]?.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(vectors[1]);
  expect(floats.usage.prompt_tokens).toBe(floats.usage.total_tokens);
  const distance = (a: number[] = [], b: number[] = []) =>
    Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)));
  expect(distance(vectors[0], vectors[1])).toBeLessThan(distance(vectors[0], vectors[2]));
  expect(
    vectors.map((vector) =>
      distance(
        vector,
        vector.map(() => 0),
      ),
    ),
  ).toEqual(vectors.map(() => expect.closeTo(1, 6)));
});

test("any text can be tokenized, and control tokens written in it are text", async () => {
  const { json } = await post("/v1/tokenize", { text: "<|im_end|> Grüße, 世界 👋\u0000" });
  expect(json.tokens.length).toBeGreaterThan(10);
  expect((await post("/v1/tokenize", { text: "" })).json).toEqual({ tokens: [] });
});

test("answers eight requests with two sequences", async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, seed) => chat({ seed })));
  for (const { json } of answers) expect(json.choices[0].finish_reason).toBe("stop");
  expect(await health()).toMatchObject({ active: 0, waiting: 0 });
});

test.each([
  ["a stream", true],
  ["an answer in one piece", false],
])("disconnecting ends %s and frees its sequence at once", async (_name, stream) => {
  const leaving = new AbortController();
  const body = { ...(await endless()), stream };
  const answer = openResponse(engine.socket, "/v1/chat/completions", body, leaving);
  answer.then((response) => response.on("error", () => {})).catch(() => {});
  await waitUntil(async () => (await health()).active === 1);
  leaving.abort();
  await waitUntil(async () => (await health()).active === 0);
});

test("a client that disconnects while waiting leaves the queue", async () => {
  const leaving = new AbortController();
  const body = await endless();
  const answers = Array.from({ length: 3 }, () => openResponse(engine.socket, "/v1/chat/completions", body, leaving));
  await waitUntil(async () => (await health()).waiting === 1);
  leaving.abort();
  await Promise.allSettled(answers);
  await waitUntil(async () => {
    const { active, waiting } = await health();
    return active === 0 && waiting === 0;
  });
});

test("health answers while the model works, and a reply ends where the context does", async () => {
  const working = post("/v1/chat/completions", await endless());
  await waitUntil(async () => (await health()).active === 1);
  expect((await health()).active).toBe(1);
  const { json } = await working;
  expect(json.choices[0].finish_reason).toBe("length");
  expect(json.usage.total_tokens).toBe(CONTEXT);
});

test("rejects a prompt longer than the context with both lengths", async () => {
  const messages = [{ role: "user", content: "word ".repeat(3000) }];
  const { status, json } = await chat({ messages, stream: true });
  expect(status).toBe(400);
  expect(json.error).toMatchObject({
    type: "invalid_request_error",
    code: "context_length_exceeded",
    param: "messages",
    details: { max: CONTEXT - 1, got: expect.any(Number) },
  });
});

const image = { role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] };
const format = (schema: unknown) => ({ type: "json_schema", json_schema: { name: "x", schema } });

test.each([
  ["malformed JSON", "/v1/chat/completions", '{"messages":', 400, "invalid_request", null],
  ["no body", "/v1/chat/completions", "", 400, "invalid_request", null],
  ["no messages", "/v1/chat/completions", {}, 400, "invalid_request", "messages"],
  ["a wrong role", "/v1/chat/completions", { messages: [{ role: "x" }] }, 400, "invalid_request", "messages[0].role"],
  ["too many choices", "/v1/chat/completions", { ...hello, n: 9 }, 400, "invalid_request", "n"],
  ["an image", "/v1/chat/completions", { messages: [image] }, 400, "unsupported_modality", "messages[0].content[0]"],
  [
    "tools without a template for them",
    "/v1/chat/completions",
    { ...hello, tools: [{ type: "function", function: { name: "f" } }] },
    400,
    "unsupported_parameter",
    "tools",
  ],
  [
    "a schema that can't be followed",
    "/v1/chat/completions",
    { ...hello, response_format: format({ allOf: [] }), stream: true },
    400,
    "invalid_request",
    "response_format.json_schema.schema.allOf",
  ],
  [
    "a template's value that the conversation fills",
    "/v1/chat/completions",
    { ...hello, chat_template_kwargs: { messages: [] } },
    400,
    "invalid_request",
    "chat_template_kwargs.messages",
  ],
  [
    "template values beyond what a template needs",
    "/v1/chat/completions",
    { ...hello, chat_template_kwargs: { text: "a".repeat(5000) } },
    400,
    "invalid_request",
    "chat_template_kwargs",
  ],
  [
    "a name that no template can read",
    "/v1/chat/completions",
    { ...hello, chat_template_kwargs: { "a(b": 1 } },
    400,
    "invalid_request",
    "chat_template_kwargs",
  ],
  [
    "a minimum above the maximum",
    "/v1/completions",
    { prompt: "a", min_tokens: 5, max_tokens: 4 },
    400,
    "invalid_request",
    "min_tokens",
  ],
  [
    "a minimum length of JSON",
    "/v1/chat/completions",
    { ...hello, min_tokens: 1, response_format: { type: "json_object" } },
    400,
    "unsupported_parameter",
    "min_tokens",
  ],
  ["a token that is not in the vocabulary", "/v1/completions", { prompt: [1e9] }, 400, "invalid_request", "prompt"],
  ["an empty list of tokens", "/v1/completions", { prompt: [[1], []] }, 400, "invalid_request", "prompt[1]"],
  ["a suffix", "/v1/completions", { prompt: "a", suffix: "b" }, 400, "unsupported_parameter", "suffix"],
  ["other dimensions", "/v1/embeddings", { input: "a", dimensions: 3 }, 400, "unsupported_parameter", "dimensions"],
  ["an unknown route", "/v1/nothing", {}, 404, "not_found", null],
])("rejects %s", async (_name, path, body, status, code, param) => {
  const answer = await post(path, body);
  expect(answer.status).toBe(status);
  expect(answer.json.error).toMatchObject({ type: "invalid_request_error", code, param, message: expect.any(String) });
});

test("rejects a body over 16 MB by its content length", async () => {
  const { status, body } = await sendHeadersOnly(engine.socket, "/v1/chat/completions", 16 * 1024 * 1024 + 1);
  expect(status).toBe(413);
  expect(JSON.parse(body).error.code).toBe("payload_too_large");
});

test("unknown fields and nulls are ignored", async () => {
  const { status } = await chat({ max_tokens: 1, user: "u", metadata: {}, stop: null, seed: null, provider: { x: 1 } });
  expect(status).toBe(200);
});
