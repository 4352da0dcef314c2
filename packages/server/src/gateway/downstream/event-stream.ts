import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/**
 * Starts a server-sent event stream with the headers set on the reply so far. Tells proxies neither to buffer nor to
 * compress it.
 */
export function startEventStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  reply.hijack();
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  return raw;
}
