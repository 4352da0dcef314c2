import { formatChunks } from "@feather/testing/chat-events";
import { expect, test } from "vitest";
import { createFeather } from "../client.ts";
import { AbortedError, type ApiError, TimeoutError } from "../errors.ts";
import type { ChatCompletionChunk } from "../generated/schemas.ts";
import { AnswerStream } from "./answer-stream.ts";
import { EventStream } from "./event-stream.ts";

const ask = { model: "m/n", messages: [{ role: "user" as const, content: "Hi" }], stream: true as const };
const DONE = "data: [DONE]\n\n";
const FIRST = `${formatChunks("half").split("\n\n")[0]}\n\n`;

/** A body that sends a text and then is silent, and records whether it was cancelled. */
function silentAfter(text: string) {
  const state = { isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    cancel: () => {
      state.isCancelled = true;
    },
  });
  return { body, state };
}

/** Opens a stream that sends the first part of an answer and then is silent. Its `fetch` ignores the signal. */
async function openSilent(options: { streamIdleTimeout?: number } = {}) {
  const { body, state } = silentAfter(FIRST);
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
    ...options,
  });
  return { stream: await feather.chat.completions.create(ask), state };
}

const readAll = async (stream: AsyncIterable<unknown>) => {
  for await (const _ of stream);
};

test("cancelling a forwarded stream ends the request at once, also while the model is silent", async () => {
  const { stream, state } = await openSilent();
  const reader = stream.toReadableStream().getReader();
  await reader.read();
  await new Promise(setImmediate); // the next event is waited for
  await reader.cancel();
  expect(state.isCancelled).toBe(true);
});

test("abort() ends a stream whose fetch ignores its signal", async () => {
  const { stream, state } = await openSilent();
  const reading = Promise.allSettled([readAll(stream)]);
  await new Promise(setImmediate); // the next event is waited for
  stream.abort();
  expect(await reading).toEqual([{ status: "rejected", reason: expect.any(AbortedError) }]);
  expect(state.isCancelled).toBe(true);
});

test("the limit of silence ends a stream whose fetch ignores its signal", async () => {
  const { stream, state } = await openSilent({ streamIdleTimeout: 20 });
  await expect(readAll(stream)).rejects.toThrow(TimeoutError);
  expect(state.isCancelled).toBe(true);
});

test.each([
  ["a chat completion", (readable: ReadableStream<Uint8Array>) => AnswerStream.fromReadableStream(readable)],
  ["events", (readable: ReadableStream<Uint8Array>) => EventStream.fromReadableStream(readable)],
])("abort() ends a restored stream of %s while it waits, and cancels what it reads from", async (_, restore) => {
  const { body, state } = silentAfter('{"choices":[]}\n');
  const stream = restore(body);
  const events = stream[Symbol.asyncIterator]();
  expect((await events.next()).value).toEqual({ choices: [] });
  const next = events.next();
  stream.abort();
  await expect(next).rejects.toThrow(AbortedError);
  expect(state.isCancelled).toBe(true);
});

test("a restored stream yields no more events after abort(), also when they have arrived", async () => {
  const { body } = silentAfter('{"n":1}\n{"n":2}\n{"n":3}\n');
  const stream = EventStream.fromReadableStream<{ n: number }>(body);
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { n } of stream) {
      seen.push(n);
      stream.abort();
    }
  })();
  await expect(reading).rejects.toThrow(AbortedError);
  expect(seen).toEqual([1]);
});

test("abort() on one of two streams from tee() ends that one, and the other goes on", async () => {
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    fetch: async () =>
      new Response(formatChunks("a", "b") + DONE, { headers: { "content-type": "text/event-stream" } }),
  });
  const [one, other] = (await feather.chat.completions.create(ask)).tee();
  one.abort();
  await expect(readAll(one)).rejects.toThrow(AbortedError);
  expect(await other.text()).toBe("ab");
});

test("aborting both streams from tee() ends the request while they wait for an event", async () => {
  const { stream, state } = await openSilent();
  const [one, other] = stream.tee();
  const results = Promise.allSettled([readAll(one), readAll(other)]);
  await new Promise(setImmediate);
  one.abort();
  expect(state.isCancelled).toBe(false);
  other.abort();
  const isAborted = { status: "rejected", reason: expect.any(AbortedError) };
  expect(await results).toEqual([isAborted, isAborted]);
  expect(state.isCancelled).toBe(true);
});

test("a stream from tee() that was never read counts as left once it is aborted", async () => {
  const { stream, state } = await openSilent();
  const [one, other] = stream.tee();
  one.abort();
  for await (const _ of other) break;
  expect(state.isCancelled).toBe(true);
});

test("both streams from tee() throw the error that the stream ends with", async () => {
  const event = `data: ${JSON.stringify({ error: { message: "Overloaded.", code: "upstream_error" } })}\n\n`;
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    fetch: async () => new Response(FIRST + event, { headers: { "content-type": "text/event-stream" } }),
  });
  const [one, other] = (await feather.chat.completions.create(ask)).tee();
  const errors = await Promise.all([one, other].map((half) => half.text().catch((error: ApiError) => error)));
  for (const error of errors) expect(error).toMatchObject({ code: "upstream_error", partial: "half" });
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])("a limit of silence of %d ms is none", async (streamIdleTimeout) => {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 30)); // longer than the 1 ms of a timer that overflows
      controller.enqueue(new TextEncoder().encode(formatChunks("late") + DONE));
      controller.close();
    },
  });
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    streamIdleTimeout,
    fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  });
  expect(await (await feather.chat.completions.create(ask)).text()).toBe("late");
});

test("the time limit holds for an error that claims to be a stream", async () => {
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    maxRetries: 0,
    timeout: 20,
    fetch: async (_, init) => {
      const body = new ReadableStream({
        start: (controller) => init?.signal?.addEventListener("abort", () => controller.error(new Error("aborted"))),
      });
      return new Response(body, { status: 400, headers: { "content-type": "text/event-stream" } });
    },
  });
  await expect(Promise.resolve(feather.chat.completions.create(ask))).rejects.toThrow(TimeoutError);
});

test("the final methods of a stream read it once, however many of them are called", async () => {
  const chunks: ChatCompletionChunk[] = [];
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    fetch: async () => new Response(formatChunks("a") + DONE, { headers: { "content-type": "text/event-stream" } }),
  });
  const stream = await feather.chat.completions.create(ask);
  const all = await Promise.all([stream.text(), stream.finalContent(), stream.finalToolCalls()]);
  expect(all).toEqual(["a", "a", []]);
  const again = (async () => {
    for await (const chunk of stream) chunks.push(chunk);
  })();
  await expect(again).rejects.toThrow(/use tee/);
  expect(chunks).toEqual([]);
});
