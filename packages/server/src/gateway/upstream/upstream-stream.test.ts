import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { formatEvent } from "@feather/testing/chat-events";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { createChunkReader } from "../formats/chunks.ts";
import { openUpstreamStream, type UpstreamStream } from "./upstream-stream.ts";

const META = { id: "chatcmpl-1", created: 1, model: "o/n" };
const FIRST_BYTE_MS = 60_000;
const TEXT = formatEvent({ choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }] });
const LAST = `${formatEvent({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`;

/** Opens a stream of a backend that answers like this. */
async function open(answer: RequestListener): Promise<UpstreamStream> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const dispatcher = new Agent();
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await dispatcher.destroy();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = {
    dispatcher,
    signal: new AbortController().signal,
    options: { origin, path: "/", method: "POST" as const },
  };
  const opened = await openUpstreamStream(request, createChunkReader("chat", META), FIRST_BYTE_MS);
  if (!("stream" in opened)) throw new Error("The stream has not begun.");
  return opened.stream;
}

test("a backend that goes on sending after its last event is disconnected", async () => {
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
