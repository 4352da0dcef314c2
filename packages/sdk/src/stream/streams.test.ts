import { readdirSync, readFileSync } from "node:fs";
import { formatChunks } from "@feather/testing/chat-events";
import { sendJson } from "@feather/testing/http-server";
import { afterEach, beforeEach, describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import { createFeather } from "../client.ts";
import {
  AbortedError,
  ApiError,
  BadRequestError,
  ConnectionError,
  RateLimitError,
  ServerError,
  StreamTruncatedError,
  TimeoutError,
} from "../errors.ts";
import type { ChatCompletionChunk } from "../generated/schemas.ts";
import type { RequestOptions } from "../request-options.ts";
import { startEvents, startTestClient } from "../testing/client.ts";
import { AnswerStream } from "./answer-stream.ts";
import { EventStream } from "./event-stream.ts";

const ask = { model: "m/n", messages: [{ role: "user" as const, content: "Hi" }], stream: true as const };
const DONE = "data: [DONE]\n\n";
const TEXT = "Féther 🪶\nline";

/** Bytes written one part at a time, so that each arrives apart. */
async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
    await new Promise(setImmediate);
  }
}

const whole = formatChunks("Féther ", "🪶\nline") + DONE;
const long = "🪶".repeat(1024 * 1024); // 4 MB in one line

test.each<[string, string, number, string]>([
  ["whole", whole, whole.length * 2, TEXT],
  ["byte by byte", whole, 1, TEXT],
  ["in threes, with every character of the picture cut", whole, 3, TEXT],
  ["with CRLF", whole.replaceAll("\n\n", "\r\n\r\n"), 7, TEXT],
  ["with CR", whole.replaceAll("\n\n", "\r\r"), 5, TEXT],
  [
    "with comments, retries and ids between",
    `: hello\n\nretry: 10\n\nid: 7\n${whole.replaceAll("data: {", ": keep-alive\n\ndata: {")}`,
    11,
    TEXT,
  ],
  ["without a space behind the colon", whole.replaceAll("data: ", "data:"), 13, TEXT],
  ["with a byte order mark", `\uFEFF${whole}`, 2, TEXT],
  ["with a line of 4 MB", formatChunks(long) + DONE, 65_536, long],
])("a stream %s yields the same text", async (_, sent, size, text) => {
  using server = await startTestClient(async (_request, response) => {
    startEvents(response);
    for await (const part of inParts(Buffer.from(sent), size)) response.write(part);
    response.end();
  });
  const stream = await server.feather.chat.completions.create(ask);
  expect((await stream.text()) === text).toBe(true);
});

const [first = "", last = ""] = [formatChunks("half").split("\n\n")[0], formatChunks("half").split("\n\n")[1]].map(
  (e) => `${e}\n\n`,
);

test.each([
  ["nothing", "", ""],
  ["no end", first, "half"],
  ["a reason to finish, but no [DONE]", first + last, "half"],
  ["[DONE], but no reason to finish", first + DONE, "half"],
  ["half an event at the end", first + last.slice(0, 20), "half"],
])("a stream with %s throws an error with the partial text", async (_, sent, partial) => {
  using server = await startTestClient((_request, response) => startEvents(response, sent));
  const stream = await server.feather.chat.completions.create(ask);
  const error = await stream.final().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StreamTruncatedError);
  expect(error).toMatchObject({ partial });
});

test("an event that is not JSON throws a connection error", async () => {
  using server = await startTestClient((_, response) => startEvents(response, "data: {no\n\n"));
  const stream = await server.feather.chat.completions.create(ask);
  await expect(stream.text()).rejects.toThrow(ConnectionError);
});

test("a broken connection throws an error with the partial text and its cause", async () => {
  using server = await startTestClient((_, response) => void startEvents(response).write(first));
  const stream = await server.feather.chat.completions.create(ask);
  const reading = (async () => {
    for await (const _ of stream) server.close();
  })();
  const error = await reading.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StreamTruncatedError);
  expect(error).toMatchObject({ partial: "half", cause: expect.any(Error) });
});

const RESPONSE_EVENTS = [
  { type: "response.created", response: {} },
  { type: "response.reasoning_summary_text.delta", delta: "Hm." },
  { type: "response.output_text.delta", delta: "ha" },
  { type: "response.output_text.delta", delta: "lf" },
];
const TRANSCRIPT_EVENTS = [
  { type: "transcript.text.delta", delta: "ha" },
  { type: "transcript.text.delta", delta: "lf" },
];
const MESSAGE_EVENTS = [
  { type: "message_start", message: {} },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "ha" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "lf" } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "{" } },
];
type Client = Awaited<ReturnType<typeof startTestClient>>["feather"];

test.each<[string, readonly object[], (feather: Client) => Promise<AsyncIterable<unknown>>]>([
  [
    "responses",
    RESPONSE_EVENTS,
    async (feather) => feather.responses.create({ model: "m/n", input: "Hi", stream: true }),
  ],
  [
    "messages",
    MESSAGE_EVENTS,
    async (feather) =>
      feather.messages.create({
        model: "m/n",
        max_tokens: 9,
        messages: [{ role: "user", content: "Hi" }],
        stream: true,
      }),
  ],
  [
    "transcriptions",
    TRANSCRIPT_EVENTS,
    async (feather) =>
      feather.audio.transcriptions.create({ model: "m/n", file: new File(["ID3"], "a.mp3"), stream: true }),
  ],
])("a stream of %s that is cut throws an error with the partial text", async (_, events, open) => {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  using server = await startTestClient((_, response, count) => {
    if (count === 1) startEvents(response, text);
    else startEvents(response).write(text);
  });
  const read = async (onEvent: (count: number) => void) => {
    let count = 0;
    for await (const _ of await open(server.feather)) onEvent(++count);
  };
  const ended = await read(() => {}).catch((reason: unknown) => reason);
  expect(ended).toBeInstanceOf(StreamTruncatedError);
  expect(ended).toMatchObject({ partial: "half", cause: undefined });
  const broken = await read((count) => {
    if (count === events.length) server.close();
  }).catch((reason: unknown) => reason);
  expect(broken).toBeInstanceOf(StreamTruncatedError);
  expect(broken).toMatchObject({ partial: "half", cause: expect.any(Error) });
});

test.each([
  ["OpenAI's", `data: {"error":{"message":"Overloaded.","code":"upstream_error","type":"x","param":null}}\n\n`],
  ["a named event", `event: error\ndata: {"error":{"message":"Overloaded.","code":"upstream_error"}}\n\n`],
])("throws an error event in the middle of a stream: %s", async (_, event) => {
  using server = await startTestClient((_request, response) => startEvents(response, first + event));
  const received: string[] = [];
  const stream = await server.feather.chat.completions.create(ask);
  const read = async () => {
    for await (const chunk of stream) received.push(chunk.choices[0]?.delta.content ?? "");
  };
  const error = await read().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: "upstream_error", message: "Overloaded.", requestId: "req_1", partial: "half" });
  expect(received).toEqual(["half"]);
});

test("streams do without Promise.withResolvers, which Node 20 lacks", async () => {
  const missing = vi.spyOn(Promise, "withResolvers").mockImplementation(() => {
    throw new TypeError("Promise.withResolvers is not a function");
  });
  onTestFinished(() => missing.mockRestore());
  const headers = { "content-type": "text/event-stream" };
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    fetch: async () => new Response(whole, { headers }),
  });
  expect(await (await feather.chat.completions.create(ask)).text()).toBe(TEXT);
});

test.each<[string, { code?: string; type?: string }, number, typeof ApiError]>([
  ["a backend that failed", { code: "upstream_error", type: "server_error" }, 502, ServerError],
  ["a backend that stopped", { code: "upstream_timeout", type: "server_error" }, 504, ServerError],
  ["a server that stops", { code: "shutting_down", type: "server_error" }, 503, ServerError],
  ["a limit", { code: "some_limit", type: "rate_limit_error" }, 429, RateLimitError],
  ["a wrong request", { code: "context_length_exceeded", type: "invalid_request_error" }, 400, BadRequestError],
  ["Anthropic's overload", { type: "overloaded_error" }, 503, ServerError],
  ["something unknown", {}, 502, ServerError],
])("an error in the middle has the class and the status of its code: %s", async (_, fields, status, Class) => {
  const event = `data: ${JSON.stringify({ error: { message: "No.", ...fields } })}\n\n`;
  using server = await startTestClient((_request, response) => startEvents(response, first + event));
  const stream = await server.feather.chat.completions.create(ask);
  const error = await stream.text().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Class);
  expect(error).toMatchObject({ status, code: fields.code ?? null });
});

test.each<[string, (stream: AnswerStream<ChatCompletionChunk>) => Promise<unknown>]>([
  [
    "leaving the loop",
    async (stream) => {
      for await (const _ of stream) break;
    },
  ],
  ["abort()", async (stream) => stream.abort()],
  ["the controller", async (stream) => stream.controller.abort()],
  [
    "cancelling its bytes",
    async (stream) => {
      const bytes = stream.toReadableStream().getReader();
      await bytes.read();
      await bytes.cancel();
    },
  ],
  [
    "leaving both halves",
    async (stream) => {
      for (const half of stream.tee()) for await (const _ of half) break;
    },
  ],
])("%s ends the request on the server", async (_, leave) => {
  using server = await startTestClient(
    (_request, response) => void startEvents(response).write(formatChunks("one", "two")),
  );
  await leave(await server.feather.chat.completions.create(ask));
  await expect.poll(() => server.aborted).toBe(1);
});

test("yields no buffered events after an abort", async () => {
  using server = await startTestClient((_, response) => startEvents(response, whole));
  const abort = new AbortController();
  const stream = await server.feather.chat.completions.create(ask, { signal: abort.signal });
  const received: unknown[] = [];
  const reading = (async () => {
    for await (const chunk of stream) {
      received.push(chunk);
      abort.abort();
    }
  })();
  await expect(reading).rejects.toThrow(AbortedError);
  expect(received).toHaveLength(1);
});

test("yields no buffered events after an abort, also when the whole answer has arrived", async () => {
  using server = await startTestClient((_, response) => startEvents(response, whole));
  const abort = new AbortController();
  const stream = await server.feather.chat.completions.create(ask, { signal: abort.signal });
  const received: unknown[] = [];
  const reading = (async () => {
    for await (const chunk of stream) {
      received.push(chunk);
      await new Promise((resolve) => setTimeout(resolve, 20)); // meanwhile the end of the body is received
      abort.abort();
    }
  })();
  await expect(reading).rejects.toThrow(AbortedError);
  expect(received).toHaveLength(1);
});

test("the caller's signal aborts a stream, and is released at its end", async () => {
  using server = await startTestClient((_, response, nth) => {
    if (nth === 1) startEvents(response).write(first);
    else startEvents(response, first + last + DONE);
  });
  const abort = new AbortController();
  const stream = await server.feather.chat.completions.create(ask, { signal: abort.signal });
  setTimeout(() => abort.abort(), 20);
  await expect(stream.text()).rejects.toThrow(AbortedError);
  const late = new AbortController();
  const complete = await server.feather.chat.completions.create(ask, { signal: late.signal });
  await complete.text();
  late.abort();
  expect(await complete.finalContent()).toBe("half");
});

describe("time limits", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A stream that is written by hand, so that no real time passes. */
  async function open(options: RequestOptions) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const feather = createFeather({
      baseUrl: "http://x",
      apiKey: null,
      fetch: async (_, init) => {
        init?.signal?.addEventListener("abort", () => void writer.abort(init.signal?.reason).catch(() => {}));
        return new Response(readable, { headers: { "content-type": "text/event-stream" } });
      },
    });
    const stream = await feather.chat.completions.create(ask, options);
    return { text: stream.text(), write: (text: string) => writer.write(Buffer.from(text)), end: () => writer.close() };
  }

  test("the time limit of a call covers the start of a stream only", async () => {
    const { text, write, end } = await open({ timeout: 60 });
    await write(first);
    await vi.advanceTimersByTimeAsync(600_000);
    await write(last + DONE);
    await end();
    expect(await text).toBe("half");
  });

  test("any data keeps a stream alive, and too long a silence aborts it", async () => {
    const { text, write } = await open({ streamIdleTimeout: 80 });
    let failure: unknown;
    text.catch((error: unknown) => {
      failure = error;
    });
    await write(first);
    for (const _ of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(79);
      await write(": keep-alive\n\n");
    }
    await vi.advanceTimersByTimeAsync(79);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("the final methods work before, during, after and without the loop", async () => {
  using server = await startTestClient((_, response) => startEvents(response, formatChunks("a", "b") + DONE));
  const stream = await server.feather.chat.completions.create(ask);
  const before = stream.text();
  expect(await before).toBe("ab");
  const looped = await server.feather.chat.completions.create(ask);
  let during: Promise<string> | undefined;
  for await (const _ of looped) during ??= looped.text();
  expect(await during).toBe("ab");
  expect(await looped.finalMessage()).toEqual({ role: "assistant", content: "ab" });
  expect((await looped.final()).choices[0]?.finish_reason).toBe("stop");
  await expect(async () => {
    for await (const _ of looped);
  }).rejects.toThrow(/read once/);
});

test("the final methods reject when the loop is left", async () => {
  using server = await startTestClient((_, response) => startEvents(response, formatChunks("a", "b") + DONE));
  const stream = await server.feather.chat.completions.create(ask);
  for await (const _ of stream) break;
  await expect(stream.final()).rejects.toThrow(AbortedError);
});

test("tee returns two streams with the same events, read independently", async () => {
  using server = await startTestClient((_, response) => startEvents(response, formatChunks("a", "b", "c") + DONE));
  const [one, other] = (await server.feather.chat.completions.create(ask)).tee();
  expectTypeOf(one).toEqualTypeOf<AnswerStream<ChatCompletionChunk>>();
  expect(await one.text()).toBe("abc");
  expect(await other.text()).toBe("abc");
});

test("toReadableStream and fromReadableStream restore a stream", async () => {
  using server = await startTestClient((_, response) => startEvents(response, formatChunks("Fé", "🪶") + DONE));
  const stream = await server.feather.chat.completions.create(ask);
  const again = AnswerStream.fromReadableStream<ChatCompletionChunk>(stream.toReadableStream());
  expect(await again.text()).toBe("Fé🪶");
  const cut = new Blob([`${JSON.stringify({ choices: [{ index: 0, delta: { content: "half" } }] })}\n`]).stream();
  await expect(AnswerStream.fromReadableStream(cut).text()).rejects.toThrow(StreamTruncatedError);
});

test("tool calls are assembled from their deltas", async () => {
  const delta = (fields: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: "c", created: 1, model: "m", choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`;
  const call = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });
  const sent = [
    delta({ role: "assistant", content: null, reasoning_content: "Hm" }),
    call(0, { id: "call_1", type: "function", function: { name: "weather", arguments: "" } }),
    call(1, { id: "call_2", type: "function", function: { name: "time", arguments: "" } }),
    call(0, { function: { arguments: '{"ci' } }),
    call(0, { function: { arguments: 'ty":"Oslo"}' } }),
    call(2, { id: "call_3", type: "function", function: { name: "broken", arguments: "{" } }),
    delta({}, "tool_calls"),
  ];
  using server = await startTestClient((_, response) => startEvents(response, sent.join("") + DONE));
  const stream = await server.feather.chat.completions.create(ask);
  expect(await stream.finalToolCalls()).toEqual([
    { id: "call_1", name: "weather", arguments: '{"city":"Oslo"}', parsed: { city: "Oslo" } },
    { id: "call_2", name: "time", arguments: "", parsed: {} },
    { id: "call_3", name: "broken", arguments: "{", parsed: undefined },
  ]);
  expect(await stream.finalMessage()).toMatchObject({ content: null, reasoning_content: "Hm" });
});

test.each([
  ["responses", "response.completed", { type: "response.output_text.delta", delta: "a" }],
  ["messages", "message_stop", { type: "content_block_delta", index: 0 }],
] as const)("a stream of %s is complete after %s", async (name, end, event) => {
  const sent = (type: object) => `data: ${JSON.stringify(type)}\n\n`;
  using server = await startTestClient((_, response, nth) =>
    startEvents(response, sent(event) + ["", sent({ type: end }), "", DONE][nth]),
  );
  const open = () =>
    name === "responses"
      ? server.feather.responses.create({ model: "m/n", input: "Hi", stream: true })
      : server.feather.messages.create({
          model: "m/n",
          max_tokens: 9,
          messages: [{ role: "user", content: "Hi" }],
          stream: true,
        });
  const types: string[] = [];
  for await (const { type } of await open()) types.push(type);
  expect(types).toEqual([event.type, end]);
  for (const _ of ["nothing more", "[DONE] alone"])
    await expect(async () => {
      for await (const _ of await open());
    }).rejects.toThrow(StreamTruncatedError);
});

test("throws an error event of the Messages format", async () => {
  using server = await startTestClient((_, response) =>
    startEvents(
      response,
      `event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded."}}\n\n`,
    ),
  );
  const stream = await server.feather.messages.create({
    model: "m/n",
    max_tokens: 9,
    messages: [{ role: "user", content: "Hi" }],
    stream: true,
  });
  await expect(async () => {
    for await (const _ of stream);
  }).rejects.toThrow("Overloaded.");
});

test("streams of units in use and of logs have revived dates", async () => {
  using server = await startTestClient((request, response) => {
    if (request.headers.accept !== "text/event-stream" && request.url.endsWith("logs"))
      return sendJson(response, 200, { lines: [] });
    const line = { logged_at: "2026-11-19T14:01:02Z", replica: "r", text: "up" };
    startEvents(
      response,
      `data: ${JSON.stringify(request.url.endsWith("logs") ? line : { limit: 4, requests: [{ started_at: 1_763_560_862_000 }] })}\n\n`,
    );
  });
  const frames = [];
  for await (const frame of await server.feather.concurrency.stream()) frames.push(frame.requests[0]?.started_at);
  expect(frames).toEqual([new Date(1_763_560_862_000)]);
  expect(await server.feather.deployments.logs("dep_1")).toEqual({ lines: [] });
  const followed = await server.feather.deployments.logs("dep_1", undefined, { stream: true });
  expect(followed).toBeInstanceOf(EventStream);
  for await (const line of followed) expect(line.logged_at).toEqual(new Date("2026-11-19T14:01:02Z"));
});

const recordings = new URL("./recorded/", import.meta.url);

test.each(readdirSync(recordings).filter((name) => name.startsWith("chat-")))(
  "reads a recorded stream completely: %s",
  async (name) => {
    const bytes = readFileSync(new URL(name, recordings));
    const expected: unknown = JSON.parse(
      readFileSync(new URL(`expected/${name.replace(/\.\w+$/, ".json")}`, recordings), "utf8"),
    );
    using server = await startTestClient((_, response) => startEvents(response, bytes));
    const stream = await server.feather.chat.completions.create(ask);
    const { role, content, reasoning_content } = await stream.finalMessage();
    const { finish_reason } = (await stream.final()).choices[0] ?? {};
    const calls = (await stream.finalToolCalls()).map((call) => ({ name: call.name, parsed: call.parsed }));
    expect({
      role,
      content,
      reasoning_content,
      finish_reason,
      usage: stream.usage?.total_tokens ?? null,
      calls,
    }).toEqual(expected);
  },
);
