import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { type ApiError, toErrorBody } from "../openai/errors.ts";

/** A server-sent event stream in OpenAI's form. The status line goes out with the first event, not before. */
export type EventStream = {
  readonly started: boolean;
  /** Resolves when the client is ready for more; rejects when the signal aborts before. */
  send(data: unknown): Promise<void>;
  /** Sends the final `[DONE]` and ends the stream. */
  finish(): void;
  /** Sends an error as an event and ends the stream without `[DONE]`. */
  fail(error: ApiError): void;
};

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Creates an event stream on a reply. */
export function createEventStream(reply: FastifyReply, signal: AbortSignal): EventStream {
  const { raw } = reply;
  let started = false;
  const start = () => {
    if (started) return;
    started = true;
    // A hijacked reply no longer writes the headers that were set on it.
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    reply.hijack();
    raw.writeHead(200, HEADERS);
  };
  const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
  return {
    get started() {
      return started;
    },
    async send(data) {
      signal.throwIfAborted();
      start();
      if (!raw.write(event(data))) await once(raw, "drain", { signal });
    },
    finish() {
      start();
      raw.end("data: [DONE]\n\n");
    },
    fail(error) {
      raw.end(event(toErrorBody(error)));
    },
  };
}
