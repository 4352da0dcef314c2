import type { FastifyReply, FastifyRequest } from "fastify";
import type { Exchange } from "../platform/core/http/exchange.ts";
import { getBodyBytes } from "./body-limits.ts";

/** Runs a call that sends its own response to a request of Fastify. If it throws, Fastify sends the error. */
export async function runExchange(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  run: (exchange: Exchange) => Promise<void>,
): Promise<FastifyReply> {
  const exchange: Exchange = {
    id: request.id,
    headers: request.headers,
    body: request.body,
    bodyBytes: getBodyBytes(request),
    response: reply.raw,
    responseHeaders: { ...reply.getHeaders() },
    log: request.log,
    span: request.span ?? null,
  };
  try {
    await run(exchange);
    return reply.hijack();
  } catch (error) {
    reply.headers(exchange.responseHeaders);
    throw error;
  }
}
