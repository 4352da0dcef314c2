import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { formatEvent } from "@feather/testing/chat-events";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { BodyTooLongError } from "../../platform/core/http/read-limited.ts";
import { createChunkReader } from "../formats/chunks.ts";
import { fetchResponse, type UpstreamRequest } from "./response.ts";
import { openUpstreamStream, type UpstreamStream } from "./upstream-stream.ts";

const META = { id: "chatcmpl-1", created: 1, model: "o/n" };
const FIRST_BYTE_MS = 60_000;
const TEXT = formatEvent({ choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }] });
const LAST = `${formatEvent({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`;

/** Starts a backend that answers like this. Returns a request to it. */
async function startBackend(answer: RequestListener): Promise<UpstreamRequest> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const dispatcher = new Agent();
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await dispatcher.destroy();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { dispatcher, signal: new AbortController().signal, options: { origin, path: "/", method: "POST" } };
}

/** Opens a stream of a backend that answers like this. */
async function open(answer: RequestListener): Promise<UpstreamStream> {
  const request = await startBackend(answer);
  const opened = await openUpstreamStream(request, createChunkReader("chat", META), FIRST_BYTE_MS);
  if (!("stream" in opened)) throw new Error("The stream has not begun.");
  return opened.stream;
}

test.each([
  ["an answer that was asked for whole", 200, (request: UpstreamRequest) => fetchResponse(request)],
  [
    "a refusal of a stream",
    500,
    (request: UpstreamRequest) => openUpstreamStream(request, createChunkReader("chat", META), FIRST_BYTE_MS),
  ],
])("a backend is disconnected when %s is longer than the limit", async (_what, status, call) => {
  let closed: Promise<unknown> = Promise.resolve();
  const request = await startBackend((_request, response) => {
    closed = once(response, "close");
    response.writeHead(status).write("x".repeat(20_000));
  });
  await expect(call({ ...request, maxBodyBytes: 10_000 })).rejects.toThrow(BodyTooLongError);
  await closed;
});

test("a backend that continues to send after its last event is disconnected", async () => {
  let closed: Promise<unknown> = Promise.reject(new Error("The backend was not called.")).catch(() => {});
  const stream = await open((_request, response) => {
    closed = once(response, "close");
    response.write(TEXT + LAST);
    const timer = setInterval(() => response.write(": more\n\n"), 50);
    response.on("close", () => clearInterval(timer));
  });
  await stream.forward(() => undefined, FIRST_BYTE_MS);
  stream.close();
  await closed;
});

test("a backend is disconnected when its chunks cannot be passed on", async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const stream = await open((_request, response) => {
    closed = once(response, "close");
    response.write(TEXT);
  });
  const failure = new Error("The caller has gone.");
  await expect(stream.forward(() => Promise.reject(failure), FIRST_BYTE_MS)).rejects.toBe(failure);
  await closed;
});

const contentOf = (chunk: unknown) =>
  (chunk as { choices: { delta: { content?: string } }[] }).choices.map(({ delta }) => delta.content ?? "").join("");

test("data that arrives in one part is passed on whole, and no faster than it is read", async () => {
  const COUNT = 500;
  const texts = Array.from({ length: COUNT }, (_, at) => `${at} ${"ä".repeat(200)}\n`);
  const events = texts.map((content) =>
    formatEvent({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  );
  const stream = await open((_request, response) => void response.end(events.join("") + LAST));
  const taken: string[] = [];
  let largest = 0;
  let isHeld = false;
  await stream.forward((chunks) => {
    expect(isHeld, "while the caller takes no more").toBe(false);
    isHeld = true;
    const text = chunks.map(contentOf);
    taken.push(...text);
    largest = Math.max(largest, text.join("").length);
    return new Promise((resolve) =>
      setImmediate(() => {
        isHeld = false;
        resolve();
      }),
    );
  }, FIRST_BYTE_MS);
  expect(taken.join("")).toBe(texts.join(""));
  expect(largest).toBeLessThan(20_000);
});

test("an error while the rest of a part is passed on ends the stream", async () => {
  const stream = await open((_request, response) => void response.end(TEXT.repeat(1_000) + LAST));
  const failure = new Error("It cannot be rendered.");
  let calls = 0;
  const forwarded = stream.forward(() => {
    calls += 1;
    if (calls > 2) throw failure;
    return Promise.resolve();
  }, FIRST_BYTE_MS);
  await expect(forwarded).rejects.toBe(failure);
});
