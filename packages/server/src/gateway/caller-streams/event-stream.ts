import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { ResponseHeaders } from "../../platform/core/http/exchange.ts";

/**
 * Starts a server-sent event stream with the headers that the reply has so far. Proxies are told not to buffer or compress
 * it.
 */
export function startEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  sendEventStreamHead(reply.raw, reply.getHeaders());
  return reply.raw;
}

/** Sends status and headers of a server-sent event stream. */
export function sendEventStreamHead(response: ServerResponse, headers: ResponseHeaders): void {
  response.writeHead(200, {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
}
