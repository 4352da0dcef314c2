import { formatChunks } from "@feather/testing/chat-events";
import { fc } from "@feather/testing/properties";
import { expect, test } from "vitest";
import { createFeather } from "../client.ts";
import { StreamTruncatedError } from "../errors.ts";
import type { ChatCompletionChunk } from "../generated/schemas.ts";
import { AnswerStream } from "./answer-stream.ts";

const ask = { model: "m/n", messages: [{ role: "user" as const, content: "Hi" }], stream: true as const };
const DONE = "data: [DONE]\n\n";

/** Cuts bytes at some places, given as parts of their length; two equal places make an empty chunk. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => Math.floor(place * bytes.length)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function toReadable(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = rest.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

/** Opens a stream of a server that sends exactly these chunks. */
function open(chunks: readonly Uint8Array[], type = "text/event-stream"): Promise<AnswerStream<ChatCompletionChunk>> {
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    fetch: async () => new Response(toReadable(chunks), { headers: { "content-type": type } }),
  });
  return Promise.resolve(feather.chat.completions.create(ask));
}

const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 5 });
const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
const lineEnds = fc.constantFrom("\n", "\r\n", "\r");

test("a stream has the same chunks wherever its bytes are cut, with each kind of line end", async () => {
  const property = fc.asyncProperty(texts, places, lineEnds, async (parts, at, lineEnd) => {
    const sent = `: hello\n\n${formatChunks(...parts)}${DONE}`.replaceAll("\n", lineEnd);
    const stream = await open(cut(new TextEncoder().encode(sent), at));
    expect(await stream.text()).toBe(parts.join(""));
  });
  await fc.assert(property, { numRuns: 200 });
});

test("a stream that is cut off anywhere before [DONE] throws, with a beginning of the answer in partial", async () => {
  const property = fc.asyncProperty(
    texts,
    places,
    fc.double({ min: 0, max: 1, noNaN: true }),
    async (parts, at, end) => {
      const bytes = new TextEncoder().encode(formatChunks(...parts));
      const stream = await open(cut(bytes.subarray(0, Math.floor(end * bytes.length)), at));
      const error: unknown = await stream.final().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StreamTruncatedError);
      expect(parts.join("").startsWith((error as StreamTruncatedError).partial)).toBe(true);
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

test("a forwarded stream has the same chunks wherever its bytes are cut on the way", async () => {
  const property = fc.asyncProperty(texts, places, async (parts, at) => {
    const original = await open([new TextEncoder().encode(formatChunks(...parts) + DONE)]);
    const bytes = new Uint8Array(await new Response(original.toReadableStream()).arrayBuffer());
    const restored = AnswerStream.fromReadableStream<ChatCompletionChunk>(toReadable(cut(bytes, at)));
    expect(await restored.text()).toBe(parts.join(""));
  });
  await fc.assert(property, { numRuns: 100 });
});

test("a forwarded stream that is cut off within an event throws an error with the partial text", async () => {
  const original = await open([new TextEncoder().encode(formatChunks("Hello ", "you") + DONE)]);
  const bytes = new Uint8Array(await new Response(original.toReadableStream()).arrayBuffer());
  const half = bytes.subarray(0, bytes.indexOf(10) + 20); // the first line, and the beginning of the second
  const restored = AnswerStream.fromReadableStream<ChatCompletionChunk>(toReadable([half]));
  const error: unknown = await restored.text().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StreamTruncatedError);
  expect(error).toMatchObject({ partial: "Hello " });
});

test("a forwarded line that is not JSON throws a connection error", async () => {
  const readable = toReadable([new TextEncoder().encode("<html>\n{}\n")]);
  const restored = AnswerStream.fromReadableStream<ChatCompletionChunk>(readable);
  await expect(restored.text()).rejects.toMatchObject({
    name: "ConnectionError",
    message: expect.stringMatching("not JSON"),
  });
});

test.each(["text/event-stream", "Text/Event-Stream; Charset=UTF-8", "text/event-stream;charset=utf-8"])(
  "a response of the type %s is a stream",
  async (type) => {
    const stream = await open([new TextEncoder().encode(formatChunks("Hello") + DONE)], type);
    expect(await stream.text()).toBe("Hello");
  },
);

test("a stream is read no faster than its reader takes its events", async () => {
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1;
      controller.enqueue(new TextEncoder().encode(`${formatChunks("a").split("\n\n")[0]}\n\n`));
    },
  });
  const feather = createFeather({
    baseUrl: "http://x",
    apiKey: null,
    fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  });
  const events = (await feather.chat.completions.create(ask))[Symbol.asyncIterator]();
  await events.next();
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(pulls).toBeLessThanOrEqual(4);
  await events.return();
});
