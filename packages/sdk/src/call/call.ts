import type { Client, Middleware } from "openapi-fetch";
import { type Fetch, type SendOptions, type SentRequest, sendRequest } from "../fetch/send.ts";
import { toSearchParams } from "../fetch/url.ts";
import type { paths } from "../generated/schema.ts";
import { throwErrors } from "../middleware/errors.ts";
import { isModelPath, type Operation, pathParametersOf } from "../operations.ts";
import type { RequestOptions, StreamOptions } from "../request-options.ts";
import type { Resume } from "../stream/stream-source.ts";
import { ApiPromise, PagedPromise } from "./api-promise.ts";
import { toFormData } from "./form-data.ts";
import { readBody } from "./read-body.ts";

/** What calls are made with. */
export type CallContext = {
  readonly client: Client<paths>;
  readonly send: SendOptions;
  /** Longest time without data in a stream, in milliseconds; undefined for no limit. */
  readonly streamIdleTimeout: number | undefined;
};

/** Any request of openapi-fetch: its types are per path, and an operation is only known at run time here. */
type AnyRequest = (method: string, path: string, init: object) => Promise<{ response: Response }>;

/** Creates the method of an operation. It takes the path's parameters, the input if there is one, and `RequestOptions`. */
export function createCall(context: CallContext, operation: Operation): (...args: unknown[]) => ApiPromise<unknown> {
  const names = pathParametersOf(operation.path);
  return (...args) => {
    const path = Object.fromEntries(names.map((name, index) => [name, args[index]]));
    const input = operation.input && args[names.length];
    const options = (args[names.length + (operation.input ? 1 : 0)] ?? {}) as Partial<StreamOptions>;
    const resume: Resume = (id, request) =>
      sendCall(
        context,
        RESUME,
        { path: { id } },
        { ...options, ...request, headers: { ...options.headers, ...request.headers } },
      );
    const send = (query?: object) => async () => {
      const call = (own = options) => sendCall(context, operation, { path, input, query }, own);
      return options.resumable ? (await import("../stream/resume.ts")).sendResumable(call, resume, options) : call();
    };
    const read = (sent: SentRequest) =>
      readBody(sent, operation.path, { idleTimeoutMs: options.streamIdleTimeout ?? context.streamIdleTimeout, resume });
    if (!operation.isPaged) return new ApiPromise(send(), read);
    return new PagedPromise(send(), read, (page) => new ApiPromise(send({ page }), read));
  };
}

type CallInput = { path: Record<string, unknown>; input?: unknown; query?: object | undefined };

/** Continues a stream. */
const RESUME: Operation = { method: "GET", path: "/v1/streams/{id}" };

async function sendCall(
  { client, send, streamIdleTimeout }: CallContext,
  operation: Operation,
  { path, input, query }: CallInput,
  options: Partial<StreamOptions>,
): Promise<SentRequest> {
  const isForm = operation.input === "form";
  const exchange = createExchangeFetch(send, { streamIdleTimeout, ...options }, operation.path);
  await (client.request as AnyRequest)(operation.method, operation.path, {
    params: {
      path,
      query: { ...(operation.input === "query" && (input as object)), ...options.query, ...query },
    },
    ...(input !== undefined && operation.input !== "query" && { body: input }),
    ...(isForm && { bodySerializer: toSearchParams }),
    ...(operation.input === "file" && { bodySerializer: toFormData }),
    headers: {
      accept: options.stream ? "text/event-stream" : undefined,
      "content-type": isForm ? "application/x-www-form-urlencoded" : undefined,
      ...toHeaders(options),
    },
    parseAs: "stream", // the body is read when the promise is awaited
    fetch: exchange.fetch,
    middleware: [throwErrors] satisfies Middleware[],
  });
  return exchange.sent();
}

/** Returns the headers of a request. Null removes a header of the client, also its credential. */
export function toHeaders({ headers = {}, idempotencyKey }: RequestOptions): Record<string, string | null | undefined> {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (own.authorization === null) own.authorization = ""; // see `createCredentials`
  return { ...own, ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }) };
}

/**
 * Creates the `fetch` of one call to a path of the contract, with the call's limits. `sent()` returns the request that
 * it sent.
 */
export function createExchangeFetch(
  send: SendOptions,
  options: RequestOptions,
  path: string,
): { fetch: Fetch; sent(): SentRequest } {
  // A resumable call may go on although its connection broke, so it is not repeated like other calls of a model.
  const limits = { ...options, isModelCall: isModelPath(path) && !options.resumable };
  let sent: SentRequest | undefined;
  return {
    async fetch(request) {
      sent = await sendRequest(send, request, limits);
      return sent.response;
    },
    sent() {
      if (sent === undefined) throw new TypeError("The request was not sent.");
      return sent;
    },
  };
}
