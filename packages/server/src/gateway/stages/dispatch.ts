import { type Dispatcher, errors } from "undici";
import { AppError } from "../../shared/errors.ts";
import type { Backend, BackendRegistry } from "../backends/registry.ts";
import type { CallKind, ResolvedCall } from "../call.ts";
import { upstreamBody } from "../parameters.ts";
import { refusalOf } from "./refusal.ts";
import { upstreamError, upstreamTimeout } from "./upstream-errors.ts";

export type Timeouts = {
  /** Until a backend says its first word. */
  firstByteMs: number;
  /** Silence in mid-stream after which a stream fails. */
  idleMs: number;
  /** A silent stream sends a comment this often, so that proxies on the way do not cut it. */
  keepAliveMs: number;
  /** A caller who takes nothing for so long is cut off. */
  stalledMs: number;
};
export type Served<T> = { backend: Backend; result: T };

/** Where each kind of call goes, below the backend's address. */
const CALL_PATHS: Readonly<Record<CallKind, string>> = {
  chat: "/chat/completions",
  completion: "/completions",
  embedding: "/embeddings",
};
const MOST_TRIES = 3;

/**
 * Asks the best backend, and the next one when that fails before the caller has got anything. Throws what the caller
 * should be told: the backend's own refusal of the request, or that none could answer. The backend that served is marked
 * as busy until `registry.release`.
 */
export async function tryBackends<T>(
  call: ResolvedCall,
  registry: BackendRegistry,
  attempt: (backend: Backend) => Promise<T>,
): Promise<Served<T>> {
  let last: AppError | undefined;
  for (const backend of call.backends.slice(0, MOST_TRIES)) {
    backend.inFlight += 1;
    try {
      const result = await attempt(backend);
      registry.succeeded(backend, call.model.key);
      return { backend, result };
    } catch (error) {
      backend.inFlight -= 1;
      call.signal.throwIfAborted(); // the caller has gone: no fault of the backend, and nobody to try another for
      last = asUpstreamError(error);
      logFailure(call, backend, last);
      if (last.status < 500 && last.status !== 429) throw last;
      registry.failed(backend, last.message);
    }
  }
  throw last ?? new AppError(503, "capacity_exhausted", `No backend runs ${call.model.id} just now.`);
}

/** What the caller is not told: which backend it was, and what that said. */
function logFailure({ id, model, request }: ResolvedCall, backend: Backend, error: AppError): void {
  const { code, message, cause } = error;
  const reason = cause instanceof Error ? cause.message : message;
  request.log.warn({ request_id: id, model: model.id, backend: backend.name, code, reason }, "a backend failed");
}

/** Sends the call. Answers only a success; anything else is thrown as what it means to the caller. */
export async function send(
  call: ResolvedCall,
  backend: Backend,
  { firstByteMs }: Timeouts,
): Promise<Dispatcher.ResponseData> {
  const { body, kind, model } = call;
  const response = await backend.agent.request({
    origin: backend.origin,
    path: backend.basePath + CALL_PATHS[kind],
    method: "POST",
    headers: headersFor(backend, call),
    body: JSON.stringify(upstreamBody(backend, kind, body, model.key)),
    signal: call.signal,
    headersTimeout: firstByteMs,
    bodyTimeout: body.stream ? 0 : firstByteMs, // who reads a stream keeps the time
  });
  if (response.statusCode === 200) return response;
  throw await refusalOf(response, backend, model.id);
}

function headersFor({ apiKey }: Backend, { id, body }: ResolvedCall): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: body.stream ? "text/event-stream" : "application/json",
    "x-request-id": id,
  };
  if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`;
  return headers;
}

/** What a fault of the connection to a backend means to the caller. */
export function asUpstreamError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof errors.HeadersTimeoutError) return upstreamTimeout("The backend gave no answer in time.", error);
  if (error instanceof errors.BodyTimeoutError)
    return upstreamTimeout("The backend stopped in the middle of the answer.", error);
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return upstreamError("The backend's answer is too large.", error);
  if (error instanceof errors.ConnectTimeoutError || isRefused(error))
    return upstreamError("The backend cannot be reached.", error);
  return upstreamError("The backend broke off before its answer was complete.", error);
}

function isRefused(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^E(CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH)$/.test(`${error.code}`)
  );
}
