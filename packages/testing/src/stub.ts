import type { HttpHandler } from "msw";
import { formatChunks, formatEvent, formatUsage } from "./chat-events.ts";
import { errorResponse } from "./errors.ts";

/** A request that a stub received. */
export type StubRequest<Body = unknown> = {
  method: string;
  /** The path below `/api`, without the query. */
  path: string;
  /** The path below `/api`, with the query. */
  url: string;
  query: URLSearchParams;
  /** By names in lower case. */
  headers: Record<string, string>;
  authorization: string | undefined;
  /** The header `idempotency-key`. */
  idempotencyKey: string | undefined;
  /** The parsed JSON or form; undefined for a request without a body. */
  body: Body;
};

/** A response of a stub. The status is 200 unless given; a text is sent unchanged, any other body as JSON. */
export type StubResponse = { status?: number; headers?: Record<string, string>; body?: unknown };

type Handler<Body> = (request: StubRequest<Body>) => StubResponse | Response | Promise<StubResponse | Response>;
/** Handlers by method and path, such as `GET /auth/me`. */
export type StubRoutes<Body = unknown> = Record<string, Handler<Body>>;
/** Handlers of `@feather/sdk/msw`, typed by the contract. The first that fits a request responds. */
export type StubHandlers = readonly HttpHandler[];
/** Responds to requests that have no route. */
export type StubFallback<Body = unknown> = Handler<Body>;

/**
 * Creates a stub of the platform's API: it responds by `routes`, to other requests by `fallback`, or without one to other
 * operations with the contract's examples and to anything else with 404. It records the requests. Errors say that a retry
 * cannot help, so that no test waits for one.
 */
export function createStub<Body = unknown>(routes: StubRoutes<Body> | StubHandlers, fallback?: StubFallback<Body>) {
  const requests: StubRequest<Body>[] = [];
  async function respond(request: Request): Promise<Response> {
    const copy = request.clone();
    const recorded = await record<Body>(request);
    requests.push(recorded);
    const response = isHandlers(routes) ? await findResponse(routes, copy) : undefined;
    if (response) return withoutRetry(response);
    const handler = (isHandlers(routes) ? undefined : routes[`${recorded.method} ${recorded.path}`]) ?? fallback;
    if (handler) return toResponse(await handler(recorded));
    return (await findExample(copy)) ?? toResponse(errorResponse(404, "not_found", "There is no such page."));
  }
  return { requests, respond };
}

async function record<Body>(request: Request): Promise<StubRequest<Body>> {
  const { pathname, search, searchParams } = new URL(request.url);
  const path = pathname.replace(/^\/api/, "");
  const text = await request.text();
  return {
    method: request.method,
    path,
    url: path + search,
    query: searchParams,
    headers: Object.fromEntries(request.headers),
    authorization: request.headers.get("authorization") ?? undefined,
    idempotencyKey: request.headers.get("idempotency-key") ?? undefined,
    body: parseBody(text, request.headers.get("content-type")) as Body,
  };
}

function parseBody(text: string, type: string | null): unknown {
  if (text === "") return undefined;
  if (type?.startsWith("multipart/")) return text;
  return type?.includes("urlencoded") ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
}

function toResponse(response: StubResponse | Response): Response {
  if (response instanceof Response) return response;
  const { status = 200, headers, body } = response;
  return new Response(body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      "request-id": "req_test",
      ...(status >= 400 && { "x-should-retry": "false" }),
      ...headers,
    },
  });
}

const isHandlers = <Body>(routes: StubRoutes<Body> | StubHandlers): routes is StubHandlers => Array.isArray(routes);

async function findResponse(handlers: StubHandlers, request: Request): Promise<Response | undefined> {
  const { getResponse } = await import("msw");
  return getResponse([...handlers], request);
}

/** Returns an error with the header that tells clients not to retry; other responses unchanged. */
function withoutRetry(response: Response): Response {
  if (response.status < 400) return response;
  const headers = new Headers(response.headers);
  headers.set("x-should-retry", "false");
  return new Response(response.body, { status: response.status, headers });
}

/** The mock server is imported when a test needs it: most tests give all the responses that they use. */
async function findExample(request: Request): Promise<Response | undefined> {
  const [{ getResponse }, { handlers }] = await Promise.all([import("msw"), import("@feather/sdk/msw")]);
  return getResponse(handlers(), request);
}

/** Returns a streamed completion of these texts, with its usage at the end. */
export function streamedResponse(texts: readonly string[]): StubResponse {
  const usage = { prompt_tokens: 3, completion_tokens: texts.length, total_tokens: 3 + texts.length };
  const body = formatChunks(...texts) + formatUsage(usage) + formatEvent("[DONE]");
  return { headers: { "content-type": "text/event-stream" }, body };
}
