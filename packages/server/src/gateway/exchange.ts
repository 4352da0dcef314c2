import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { getBodyBytes } from "./body-limits.ts";

/** Headers of a response, by their names in lower case. */
export type ResponseHeaders = Record<string, string | number | string[] | undefined>;

/** The request of a call and its response, whichever way it reached the gateway. */
export type Exchange = {
  /** Id of the request, and of its usage row. */
  id: string;
  /** Headers of the request. */
  headers: IncomingHttpHeaders;
  /** The body of the request, in the format of its endpoint. */
  body: unknown;
  /** Size of the body in bytes, as received. */
  bodyBytes: number;
  response: ServerResponse;
  /** Headers that the response is sent with. */
  responseHeaders: ResponseHeaders;
  log: Pick<FastifyBaseLogger, "warn">;
};

/** Runs a call that sends its own response to a request that Fastify received. Fastify sends the error that it throws. */
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
  };
  try {
    await run(exchange);
    return reply.hijack();
  } catch (error) {
    reply.headers(exchange.responseHeaders);
    throw error;
  }
}
