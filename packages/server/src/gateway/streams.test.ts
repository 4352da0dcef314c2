import { parseEvents, streamedText } from "@feather/testing/chat-events";
import type { UpstreamScript } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_STREAM_KEEP_ALIVE: "0.1" } });
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

type Chunk = {
  id: string;
  object: string;
  created: number;
  model: string;
  usage?: unknown;
  choices: { index: number; delta: Record<string, unknown>; finish_reason: string | null }[];
};

const stream = (more: object = {}) =>
  server.call("/v1/chat/completions", { token: open.token, body: createChatRequest({ stream: true, ...more }) });

/** Reads a streamed answer and returns its text. Calls `onText` with the text so far each time more arrives. */
async function readStream(onText: (text: string) => void): Promise<string> {
  const body = createChatRequest({ stream: true });
  const response = await server.send("/v1/chat/completions", { token: open.token, body });
  expect(response.status).toBe(200);
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    onText(text);
  }
  return text;
}

function chunksOf(text: string): Chunk[] {
  return parseEvents(text)
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data) as Chunk);
}

describe("every chunk", () => {
  test("every chunk has the same id, time and model, and its id contains the request id", async () => {
    await server.addUpstream({
      encodeText: (text) => [text.replace('"id":"up-1"', `"id":"${Math.random()}"`)],
    });
    const answer = await stream();
    const chunks = chunksOf(answer.text);
    expect(new Set(chunks.map(({ id, created, model, object }) => `${id} ${created} ${model} ${object}`)).size).toBe(1);
    expect(chunks[0]).toMatchObject({
      id: `chatcmpl-${answer.headers.get("request-id")}`,
      object: "chat.completion.chunk",
      model: MODEL,
    });
  });

  test("every chunk starts each choice with the role and ends it with a finish reason", async () => {
    await server.addUpstream();
    const chunks = chunksOf((await stream({ n: 2 })).text);
    for (const index of [0, 1]) {
      const choices = chunks.flatMap(({ choices }) => choices).filter((choice) => choice.index === index);
      expect(choices[0]?.delta.role).toBe("assistant");
      expect(choices.slice(1).some(({ delta }) => "role" in delta)).toBe(false);
      expect(choices.map(({ finish_reason }) => finish_reason)).toEqual([
        ...Array(choices.length - 1).fill(null),
        "stop",
      ]);
    }
  });

  test("every chunk has the reasoning in both fields", async () => {
    for (const name of ["reasoning", "reasoning_content"]) {
      await server.addUpstream({ deltas: [{ [name]: "Hm" }, { content: "Yes" }] });
      const deltas = chunksOf((await stream()).text).flatMap(({ choices }) => choices.map(({ delta }) => delta));
      expect(deltas[0]).toMatchObject({ reasoning: "Hm", reasoning_content: "Hm" });
      await server.removeUpstreams();
    }
  });

  test("every chunk keeps tool calls separate with stable ids", async () => {
    const call = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
    await server.addUpstream({
      deltas: [
        call(0, { function: { arguments: '{"a"' } }),
        call(0, { id: "x", function: { name: "first" } }),
        call(0, { id: "x", type: "function", function: { name: "first", arguments: ":1}" } }),
        call(0, { id: "y", function: { name: "second", arguments: "{}" } }),
      ],
      finishReason: "tool_calls",
    });
    const calls = chunksOf((await stream()).text).flatMap(({ choices }) =>
      choices.flatMap(({ delta }) => delta.tool_calls ?? []),
    );
    expect(calls).toEqual([
      { index: 0, id: expect.any(String), type: "function", function: { name: "first", arguments: '{"a"' } },
      { index: 0, function: { arguments: ":1}" } },
      { index: 1, id: "y", type: "function", function: { name: "second", arguments: "{}" } },
    ]);
  });
});

describe("usage", () => {
  test.each([
    ["absent", {}, 0],
    ["null", { stream_options: null }, 0],
    ["false", { stream_options: { include_usage: false } }, 0],
    ["true", { stream_options: { include_usage: true } }, 1],
  ])(
    "usage with include_usage %s is sent as often as requested, last and without choices",
    async (_how, more, times) => {
      for (const usage of [undefined, null]) {
        await server.addUpstream(usage === null ? { usage } : {});
        const { text } = await stream(more);
        const chunks = chunksOf(text);
        expect(chunks.filter((chunk) => chunk.usage)).toHaveLength(times);
        expect(chunks.filter(({ choices }) => choices.length === 0)).toHaveLength(times);
        if (times === 1) {
          expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
          expect(chunks.at(-1)).toMatchObject({ id: chunks[0]?.id, model: MODEL });
        }
        expect(parseEvents(text).filter((data) => data === "[DONE]")).toHaveLength(1);
        expect(parseEvents(text).at(-1)).toBe("[DONE]");
        await server.removeUpstreams();
      }
    },
  );

  const counted = { prompt_tokens: 7, completion_tokens: 3 };
  test.each<[string, object | null, object]>([
    ["the total that it lacks", counted, { ...counted, total_tokens: 10 }],
    [
      "its own total and fields",
      { ...counted, total_tokens: 12, queue_time: 0.5 },
      { ...counted, total_tokens: 12, queue_time: 0.5 },
    ],
    [
      "its own details",
      { ...counted, prompt_tokens_details: { audio_tokens: 1 }, completion_tokens_details: { reasoning_tokens: 2 } },
      {
        ...counted,
        total_tokens: 10,
        prompt_tokens_details: { audio_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    ],
    [
      "null as its details",
      { ...counted, prompt_tokens_details: null },
      { ...counted, total_tokens: 10, prompt_tokens_details: null },
    ],
    [
      "whole numbers, or estimates, for counts that are none",
      { prompt_tokens: 1.5, total_tokens: -1, prompt_tokens_details: { cached_tokens: "many" } },
      {
        prompt_tokens: 2,
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        prompt_tokens_details: {},
      },
    ],
    [
      "estimates where it counts nothing",
      null,
      { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    ],
  ])("usage is what the backend gave, with %s", async (_what, usage, expected) => {
    await server.addUpstream({ usage });
    const whole = await server.call("/v1/chat/completions", { token: open.token, body: createChatRequest() });
    expect((whole.body as { usage: object }).usage).toEqual(expected);
    const { text } = await stream({ stream_options: { include_usage: true } });
    expect(chunksOf(text).at(-1)?.usage).toEqual(expected);
  });

  test("usage is removed from chunks that a backend adds it to", async () => {
    await server.addUpstream({
      encodeText: (text) => [
        text.replace('"choices":[{', '"usage":{"prompt_tokens":1,"completion_tokens":1},"choices":[{'),
      ],
    });
    expect((await stream()).text).not.toContain("usage");
  });
});

describe("the bytes of a backend, however split or encoded", () => {
  const bytes = (text: string) => Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte));
  test.each<[string, UpstreamScript["encodeText"]]>([
    ["one by one", bytes],
    ["with CRLF", (text) => [text.replaceAll("\n", "\r\n")]],
    ["with comments between", (text) => [`: ping\n\n${text}:\n\n`]],
    ["with fields of other kinds", (text) => [`event: message\nid: 7\nretry: 10\n${text}`]],
    ["without the space after the colon", (text) => [text.replace("data: ", "data:")]],
  ])("the bytes of a backend, sent %s, result in the same text", async (_how, encodeText) => {
    await server.addUpstream({ tokens: ["Fé", "dér", " 羽", "🪶"], ...(encodeText && { encodeText }) });
    const answer = await stream();
    expect(streamedText(answer.text)).toBe("Fédér 羽🪶");
    expect(parseEvents(answer.text).at(-1)).toBe("[DONE]");
  });

  test("the bytes of a backend, however split or encoded in one line of 4 MB arrive completely", async () => {
    const long = "x".repeat(4 * 1024 * 1024);
    await server.addUpstream({ tokens: [long] });
    expect(streamedText((await stream()).text)).toHaveLength(long.length);
  });

  test("the bytes of a backend, however split or encoded that end with [DONE] on an open connection are complete, and units are released", async () => {
    const upstream = await server.addUpstream({ fault: { kind: "stays open" } });
    const answer = await stream();
    expect(streamedText(answer.text)).toBe("Hello!");
    expect(parseEvents(answer.text).at(-1)).toBe("[DONE]");
    expect(server.api.gateway.units.totalInUse()).toBe(0);
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({ outcome: "completed" });
    await waitFor(() => expect(upstream.active()).toBe(0));
  });

  test("the bytes of a backend, however split or encoded are read to the end, so that the next call reuses the connection", async () => {
    const upstream = await server.addUpstream();
    for (let count = 0; count < 5; count++) await stream();
    expect(upstream.openSockets()).toBe(1);
  });
});

describe("a stream", () => {
  test("a stream has the headers that keep proxies from buffering it", async () => {
    await server.addUpstream();
    const { headers } = await server.call("/v1/chat/completions", {
      token: open.token,
      body: createChatRequest({ stream: true }),
      headers: { "accept-encoding": "br, gzip" },
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-concurrency-limit": "100",
      "x-concurrency-used": "1",
      "x-concurrency-cost": "1",
    });
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("x-request-id")).toBe(headers.get("request-id"));
  });

  test("a stream is kept alive by comments until the backend answers", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const text = await readStream((start) => {
      if (start === ": keep-alive\n\n".repeat(2)) mayAnswer.resolve();
    });
    expect(text).toMatch(/^(: keep-alive\n\n){2}/);
    expect(streamedText(text)).toBe("Hello!");
  });

  test.each([
    ["gets the answer", undefined, "Hello!"],
    ["gets the failure as an event", { kind: "reset after headers" } as const, "upstream_error"],
  ])("a reader of a resumable stream that has not begun is kept alive, and %s", async (_, fault, expected) => {
    const mayAnswer = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayAnswer.promise, ...(fault && { fault }) });
    const id = `a-stream-that-is-kept-alive-${expected.length}`;
    const headers = { "x-resumable": "1", "x-stream-id": id };
    const call = server.send("/v1/chat/completions", {
      token: open.token,
      headers,
      body: createChatRequest({ stream: true }),
    });
    expect((await call).status).toBe(200); // its first bytes are a comment
    const response = await server.send(`/v1/streams/${id}`, { token: open.token });
    let text = "";
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.includes(": keep-alive\n\n")) mayAnswer.resolve();
    }
    expect(text).toMatch(/^: keep-alive\n\n/);
    expect(text.includes(expected) || streamedText(text.replaceAll(/^id: \d+\n/gm, "")) === expected).toBe(true);
    await (await call).text();
  });

  test("a stream is kept alive in mid-stream", async () => {
    const mayGoOn = Promise.withResolvers<void>();
    await server.addUpstream({ pauseUntil: mayGoOn.promise });
    const text = await readStream((start) => {
      if (/"Hel".*: keep-alive\n\n/s.test(start)) mayGoOn.resolve();
    });
    expect(text).toMatch(/"Hel".*: keep-alive\n\n.*"lo"/s);
    expect(streamedText(text)).toBe("Hello!");
  });

  test("a stream that was kept alive reports a later failure as an event", async () => {
    const mayFail = Promise.withResolvers<void>();
    await server.addUpstream({ thinkUntil: mayFail.promise, fault: { kind: "reset after headers" } });
    const text = await readStream((start) => {
      if (start.includes(": keep-alive\n\n")) mayFail.resolve();
    });
    expect(JSON.parse(parseEvents(text).at(-1) ?? "")).toMatchObject({ error: { code: "upstream_error" } });
  });

  test("a stream is retried on another backend when one disconnects before its first event", async () => {
    const bad = await server.addUpstream({ fault: { kind: "reset after headers" } }, [MODEL], 2);
    await server.addUpstream({}, [MODEL], 1);
    const { text } = await stream();
    expect([streamedText(text), bad.recordedRequests.length]).toEqual(["Hello!", 1]);
  });
});

describe("text completions", () => {
  const complete = (body: object, token = open.token) =>
    server.call("/v1/completions", { token, body: { model: MODEL, prompt: "Once", ...body } });

  test("text completions are streamed in their own format with one id", async () => {
    await server.addUpstream();
    const answer = await complete({ stream: true, stream_options: { include_usage: true } });
    const chunks = chunksOf(answer.text) as unknown as { object: string; id: string; choices: { text: string }[] }[];
    expect(new Set(chunks.map(({ object, id }) => `${object} ${id}`))).toEqual(
      new Set([`text_completion cmpl-${answer.headers.get("request-id")}`]),
    );
    expect(chunks.map(({ choices }) => choices[0]?.text ?? "").join("")).toBe("Hello!");
  });

  test("text completions of several prompts hold units for each prompt", async () => {
    const mayAnswer = Promise.withResolvers<void>();
    const upstream = await server.addUpstream({ thinkUntil: mayAnswer.promise });
    const { token } = await server.signUpOnPlan({ concurrency: 3 });
    const three = complete({ prompt: ["a", "b", "c"], echo: true, logprobs: 1, suffix: "." }, token);
    await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(3));
    expect((await complete({}, token)).status).toBe(429);
    mayAnswer.resolve();
    const answer = await three;
    expect((answer.body as { choices: unknown[] }).choices).toHaveLength(3);
    expect(upstream.recordedRequests[0]?.body).toMatchObject({
      prompt: ["a", "b", "c"],
      echo: true,
      logprobs: 1,
      suffix: ".",
    });
    expect(await server.usageRow(answer.headers.get("request-id"))).toMatchObject({ units: 3, kind: "completion" });
    const refused = await complete({ prompt: ["a", "b", "c", "d"] }, token);
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { param: "prompt", details: { answers: 3 } } },
    ]);
  });

  test("completions accept token ids as one or several prompts", async () => {
    const upstream = await server.addUpstream();
    expect((await complete({ prompt: [1, 2, 3] })).headers.get("x-concurrency-cost")).toBe("1");
    expect((await complete({ prompt: [[1, 2], [3]] })).headers.get("x-concurrency-cost")).toBe("2");
    expect(upstream.recordedRequests.map(({ body }) => body.prompt)).toEqual([
      [1, 2, 3],
      [[1, 2], [3]],
    ]);
  });
});
