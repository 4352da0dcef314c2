import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Conversation, EngineModel, GenerationEvent, GenerationOptions } from "../model/engine-model.ts";
import { parseEvents, waitUntil } from "../testing/engine-process.ts";
import { createEngineServer } from "./server.ts";

type Generate = (signal: AbortSignal) => AsyncGenerator<GenerationEvent, void, void>;

const word = (text: string): GenerationEvent => ({ type: "text", text, tokenCount: 1, logprobs: [] });

/** A server over a model whose replies are made by a function. */
function serverOf(generate: Generate, apiKey?: string) {
  const prompt = {
    tokenCount: 3,
    stopTexts: [],
    supportsLogprobs: true,
    generate(options: GenerationOptions, signal: AbortSignal) {
      priorities.push(options.priority);
      return generate(signal);
    },
  };
  const priorities: number[] = [];
  const prompted: Conversation[] = [];
  const model: EngineModel = {
    contextLength: 100,
    sequences: 1,
    embeddingLength: 4,
    supportsTools: true,
    holdsOwnCalls: true,
    readsTemplateVariable: () => false,
    load: () => ({ active: 0, waiting: 0 }),
    promptFromChat(conversation) {
      prompted.push(conversation);
      return prompt;
    },
    promptFromText: () => prompt,
    promptFromTokens: () => ({ prompt, text: "" }),
    tokenize: () => [],
    async embed(_text, _signal, priority) {
      priorities.push(priority);
      return { vector: [], tokenCount: 0 };
    },
    close: async () => {},
  };
  const logged: string[] = [];
  const server = createEngineServer({
    model,
    modelId: "owner/name",
    now: () => new Date(1_700_000_000_000),
    newId: () => "id",
    randomSeed: () => 1,
    log: (message) => void logged.push(message),
    apiKey,
  });
  const chat = (body: object) =>
    server.app.inject({
      method: "POST",
      url: "/v1/chat/completions",
      payload: { messages: [{ role: "user", content: "hi" }], ...body },
    });
  return { server, chat, logged, prompted, priorities };
}

async function* failAfter(words: readonly string[]): AsyncGenerator<GenerationEvent, void, void> {
  for (const text of words) yield word(text);
  throw new Error("llama.cpp broke: secret");
}

test("requests of every kind wait with the priority that they name, and 0 without one", async () => {
  const { server, priorities } = serverOf(() => failAfter(["a"]));
  const send = (url: string, payload: object) => server.app.inject({ method: "POST", url, payload });
  for (const given of [{}, { priority: null }, { priority: 1 }]) {
    await send("/v1/chat/completions", { messages: [{ role: "user", content: "hi" }], ...given });
    await send("/v1/completions", { prompt: "hi", ...given });
    await send("/v1/embeddings", { input: "hi", ...given });
  }
  expect(priorities).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1]);
});

test("a failure before the first token sets the status, also for a stream, and only logs its cause", async () => {
  for (const stream of [true, false]) {
    const { chat, logged } = serverOf(() => failAfter([]));
    const answer = await chat({ stream });
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error).toMatchObject({ type: "server_error", code: "internal_error", param: null });
    expect(answer.body).not.toContain("secret");
    expect(logged.join()).toContain("secret");
  }
});

test("a failure during a stream is sent as an event, and the stream ends without [DONE]", async () => {
  const { chat } = serverOf(() => failAfter(["a", "b"]));
  const answer = await chat({ stream: true });
  expect(answer.statusCode).toBe(200);
  const events = parseEvents(answer.body);
  expect(events.at(-2)).toMatchObject({ choices: [{ delta: { content: "b" } }] });
  expect(events.at(-1)).toMatchObject({ error: { type: "server_error", code: "internal_error" } });
  expect(answer.body).not.toContain("[DONE]");
});

test("a failed choice aborts the others", async () => {
  const signals: AbortSignal[] = [];
  const { chat } = serverOf((signal) => {
    signals.push(signal);
    return failAfter(["a"]);
  });
  expect((await chat({ n: 3 })).statusCode).toBe(500);
  expect(signals.map((signal) => signal.aborted)).toEqual([true, true, true]);
});

test("requests that exceed the shutdown's time limit end with an error", async () => {
  let started = 0;
  async function* endless(signal: AbortSignal): AsyncGenerator<GenerationEvent, void, void> {
    yield word("a");
    started += 1;
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  }
  const { server, chat } = serverOf(endless);
  const answers = [chat({ stream: true }), chat({ stream: false })];
  await waitUntil(async () => started === answers.length);
  server.abortRequests();
  const [streamed, whole] = await Promise.all(answers);
  expect(parseEvents(streamed?.body ?? "").at(-1)).toMatchObject({ error: { code: "capacity_exhausted" } });
  expect(whole?.statusCode).toBe(503);
});

test("a client that does not read pauses the generation, and ends it by disconnecting", async () => {
  let generated = 0;
  let ended = false;
  async function* gushing(): AsyncGenerator<GenerationEvent, void, void> {
    try {
      for (;;) {
        await delay(0);
        generated++;
        yield word("x".repeat(64 * 1024));
      }
    } finally {
      ended = true;
    }
  }
  const { server } = serverOf(gushing);
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const address = server.app.server.address();
  const client = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  await once(client, "connect");
  client.pause();
  const body = JSON.stringify({ messages: [{ role: "user", content: "hi" }], stream: true });
  client.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  let before = -1;
  await waitUntil(async () => {
    const still = generated > 0 && generated === before;
    before = generated;
    await delay(150);
    return still;
  });
  expect(ended).toBe(false);
  client.destroy();
  await waitUntil(() => ended);
  await server.app.close();
});

test("requests below /v1 need the API key, where there is one, and /health does not", async () => {
  const { server } = serverOf(async function* () {}, "secret");
  const status = async (url: string, authorization?: string) =>
    (await server.app.inject({ url, ...(authorization && { headers: { authorization } }) })).statusCode;
  expect(await status("/v1/models")).toBe(401);
  expect(await status("/v1/models", "Bearer other")).toBe(401);
  expect(await status("/v1/models", "Bearer secret")).toBe(200);
  expect(await status("/health")).toBe(200);
});

test("the model is told the numbers in the parameters of tools as the request has them", async () => {
  const parameters =
    '{"type":"object","properties":{"n":{"type":"number","default":1.0,"enum":[1.0,12345678901234567890]}}}';
  const { server, prompted } = serverOf(() => failAfter([]));
  const tool = `{"type":"function","function":{"name":"f","parameters":${parameters}}}`;
  await server.app.inject({
    method: "POST",
    url: "/v1/chat/completions",
    headers: { "content-type": "application/json" },
    payload: `{"temperature":1.0,"messages":[{"role":"user","content":"hi"}],"tools":[${tool}]}`,
  });
  expect(JSON.stringify(prompted[0]?.tools[0]?.parameters)).toBe(parameters);
});

test("a body that is deeper than the stack is refused", async () => {
  const { server } = serverOf(() => failAfter([]));
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const answer = await server.app.inject({
    method: "POST",
    url: "/v1/chat/completions",
    headers: { "content-type": "application/json" },
    payload: `{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f"}}],"user":${deep}}`,
  });
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, "invalid_request"]);
});
