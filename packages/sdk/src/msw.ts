/**
 * A mock server for tests and previews that responds with the contract's examples. `msw` 3 is a peer dependency.
 *
 * ```ts
 * import { handlers, http, refuse } from "@feather/sdk/msw";
 * import { setupServer } from "msw/node";
 *
 * const server = setupServer(...handlers());
 * server.use(http.models.get(({ params }) => ({ ...model, id: String(params.id) })));
 * server.use(http.apiKeys.create(() => refuse(409, "api_keys.limit_reached", "You have 100 keys already.")));
 * server.use(http.apiKeys.get(key, { params: { id: key.id } }));
 * ```
 */
import { type DefaultBodyType, type HttpHandler, HttpResponse, type HttpResponseResolver, http as rest } from "msw";
import { toSiteUrl } from "./fetch/url.ts";
import type { ErrorCode } from "./generated/error-codes.ts";
import { EXAMPLES } from "./generated/examples.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { Resources } from "./generated/resources.ts";
import type { operations } from "./generated/schema.ts";
import { mapOperations } from "./operations.ts";
import type { OperationId, Result } from "./types.ts";

/** What a resolver receives: the request, its path parameters, and cookies. */
export type Info<K extends OperationId> = Omit<Parameters<HttpResponseResolver>[0], "params"> & {
  params: operations[K]["parameters"] extends { path: infer P } ? { [N in keyof P]: string } : Record<string, never>;
};

/** The mocked response of a call: a value, an error from `refuse`, a `Response`, or a function that returns one of them. */
export type Answer<K extends OperationId> =
  | AnswerValue<K>
  | ((info: Info<K>) => AnswerValue<K> | Promise<AnswerValue<K>>);
type AnswerValue<K extends OperationId> = Sent<Result<K>> | Refusal | Response;
/** A result before it is sent: dates may be `Date`s or the texts that are sent. */
export type Sent<T> = T extends Date ? Date | string : T extends object ? { [N in keyof T]: Sent<T[N]> } : T;

type ServerOptions = { /** Base URL of the mocked server; every host if omitted. */ baseUrl?: string | undefined };
type HandlerOptions<K extends OperationId> = ServerOptions & {
  /** The path parameters of the requests that the handler responds to; others go to the next one. All if omitted. */
  params?: Info<K>["params"] | undefined;
};

type CreateHandler<K extends OperationId> = (answer?: Answer<K>, options?: HandlerOptions<K>) => HttpHandler;

/** The methods of the client, each as a function that creates a request handler. */
export type Handlers<T = Resources, Prefix extends string = ""> = {
  [N in keyof T & string]: T[N] extends (...args: never[]) => unknown
    ? CreateHandler<`${Prefix}${N}` & OperationId>
    : Handlers<T[N], `${Prefix}${N}.`>;
};

/** An error response of the platform, rendered in the envelope of the mocked path. See `refuse`. */
export class Refusal {
  readonly status: number;
  readonly error: { code: ErrorCode; message: string; param: string | null; details: Record<string, unknown> };

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    details: Record<string, unknown> = {},
    param: string | null = null,
  ) {
    this.status = status;
    this.error = { code, message, param, details };
  }
}

/**
 * Creates an error response: `refuse(404, "model_not_found", "There is no such model.")`. After the message come the details
 * of the code, and the name of the invalid field.
 */
export const refuse = (...fields: ConstructorParameters<typeof Refusal>): Refusal => new Refusal(...fields);

/** Creates a handler for one call, by its name: `http.models.list(response)`. Without an argument it returns the contract's example. */
export const http = mapOperations(
  (_, id) =>
    (answer?: Answer<OperationId>, options: AnyHandlerOptions = {}) =>
      createHandler(id, answer, options),
) as unknown as Handlers;

/** Returns handlers for all calls that respond with the contract's examples. */
export function handlers(options: ServerOptions = {}): HttpHandler[] {
  const ids = Object.keys(OPERATIONS) as OperationId[];
  // Literal path segments go before parameters, which would match them too.
  const rank = (id: OperationId) => OPERATIONS[id].path.replaceAll(/{\w+}/g, "\uffff");
  return ids
    .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
    .map((id) => createHandler(id, undefined, options));
}

/** Creates a streamed chat completion with one chunk for each text. */
export function streamed(...texts: string[]): Response {
  const event = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const events = texts.map((content, index) => event(index === 0 ? { role: "assistant", content } : { content }, null));
  return eventStream([...events, event({}, "stop"), "data: [DONE]\n\n"].join(""));
}

const CHUNK = {
  id: "chatcmpl-example",
  object: "chat.completion.chunk",
  created: 1_763_560_862,
  model: "feather/demo",
};

const eventStream = (text: string, id = "chat.completions.create"): Response =>
  new HttpResponse(text, { headers: { ...createHeaders(id), "content-type": "text/event-stream" } });

/** Every response names its operation in `x-operation`. */
const createHeaders = (id: string) => ({ "request-id": "req_example", "x-operation": id });

type AnyHandlerOptions = ServerOptions & { params?: Readonly<Record<string, string>> | undefined };

function createHandler(
  id: OperationId,
  answer: unknown,
  { baseUrl = "*", params = {} }: AnyHandlerOptions,
): HttpHandler {
  const { method, path } = OPERATIONS[id];
  const resolver: HttpResponseResolver = async (info) => {
    if (answer === undefined) return createExampleResponse(id, info.request);
    const value: unknown = typeof answer === "function" ? await answer(info) : answer;
    return toResponse(id, path, value);
  };
  const register = rest[method.toLowerCase() as "get" | "put" | "post" | "delete"];
  const pattern = path.replaceAll(/{(\w+)}/g, (_, name: string) => toSegment(name, params[name]));
  return register(`${toSiteUrl(baseUrl)}/api${pattern}`, resolver);
}

/**
 * Returns the segment of a path for a parameter: its encoded value, or a placeholder that matches any value if none is
 * given.
 */
const toSegment = (name: string, value: string | undefined): string =>
  value === undefined ? `:${name}` : encodeURIComponent(value);

function toResponse(id: OperationId, path: string, value: unknown): Response {
  if (value instanceof Response) return value;
  const headers = createHeaders(id);
  if (value instanceof Refusal) {
    const { status, error } = value;
    const shared = { ...error, request_id: "req_example" };
    const body = path.startsWith("/v1/")
      ? { error: { type: "invalid_request_error", ...shared } }
      : { statusCode: status, statusMessage: error.message, message: error.message, data: JSON.stringify(shared) };
    return HttpResponse.json(body, { status, headers });
  }
  const { status, type = "application/json" } = EXAMPLES[id];
  if (value === undefined) return new HttpResponse(null, { status, headers });
  if (typeof value === "string" && type !== "application/json")
    return new HttpResponse(value, { status, headers: { ...headers, "content-type": type } });
  return HttpResponse.json(value as DefaultBodyType, { status, headers });
}

/** The contract's example, streamed when the request asks for a stream. */
async function createExampleResponse(id: OperationId, request: Request): Promise<Response> {
  const { value } = EXAMPLES[id];
  if (id.endsWith("chat.completions.create") && (await wantsStream(request)))
    return streamed("Mostly ", "trapped air.");
  if (EXAMPLES[id].type === "text/event-stream") return eventStream(String(value), id);
  return toResponse(id, OPERATIONS[id].path, value);
}

async function wantsStream(request: Request): Promise<boolean> {
  const body: unknown = await request.clone().json();
  return typeof body === "object" && body !== null && "stream" in body && body.stream === true;
}
