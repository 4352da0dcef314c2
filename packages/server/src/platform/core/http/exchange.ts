import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { Span } from "../tracing.ts";

/** Headers of a response, by their names in lower case. */
export type ResponseHeaders = Record<string, string | number | string[] | undefined>;

/** The request of a call to a model and its response. */
export type Exchange = {
  /** The id of the request and of its usage row. */
  id: string;
  /** Headers of the request. */
  headers: IncomingHttpHeaders;
  /** The body of the request as it was sent, in the format of its endpoint. */
  body: unknown;
  /** Size of the body in bytes, as received. */
  bodyBytes: number;
  response: ServerResponse;
  /** Takes the answer in place of the response, for calls that the server makes itself. */
  receive?: (answer: string) => void;
  /** The headers that the response will be sent with. */
  responseHeaders: ResponseHeaders;
  log: Pick<FastifyBaseLogger, "warn" | "error">;
  /** The span of the request; null without tracing. */
  span: Span | null;
};
