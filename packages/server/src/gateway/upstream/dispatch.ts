import { errors as undiciErrors } from "undici";
import { AppError, errors } from "../../core/errors/index.ts";
import { type Backend, type BackendLease, type BackendRegistry, isOwnBackend } from "../backends/registry.ts";
import type { CallKind, ResolvedCall } from "../call.ts";
import { toUpstreamBody, withContinuedAnswer } from "./parameters.ts";
import type { UpstreamRequest } from "./response.ts";
import { upstreamError, upstreamTimeout } from "./upstream-errors.ts";

/** Timeouts of calls, in milliseconds. */
export type Timeouts = {
  /** The time until a backend sends its first byte. */
  firstByteMs: number;
  /** The time between two chunks of a stream. */
  idleMs: number;
  /** The interval of comments in a silent stream. They keep proxies from closing it. */
  keepAliveMs: number;
  /** The time until a caller who reads nothing is disconnected. */
  stalledMs: number;
};
/** The result of an attempt, and the lease of the backend that returned it. */
export type DispatchResult<T> = { lease: BackendLease; result: T };

/** The path of each kind of call below a backend's base URL. */
const CALL_PATHS: Readonly<Record<CallKind, string>> = {
  chat: "/chat/completions",
  completion: "/completions",
  embedding: "/embeddings",
};
const MAX_ATTEMPTS = 3;
const PROGRAM_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Tries the best backend, and the next one if an attempt fails. Throws the error for the caller: the backend's refusal of
 * the request, or that no backend could answer. The backend counts as in flight until its lease is disposed of.
 */
export async function tryBackends<T>(
  call: ResolvedCall,
  registry: BackendRegistry,
  attempt: (backend: Backend) => Promise<T>,
): Promise<DispatchResult<T>> {
  let lastError: AppError | undefined;
  for (const backend of call.backends.slice(0, MAX_ATTEMPTS)) {
    const lease = registry.acquire(backend);
    call.trace?.startAttempt(backend, CALL_PATHS[call.kind]);
    try {
      const result = await attempt(backend);
      registry.recordSuccess(backend, call.model.key);
      return { lease, result };
    } catch (error) {
      lease[Symbol.dispose]();
      call.signal.throwIfAborted(); // not the backend's fault, and no caller to retry for
      lastError = toUpstreamError(error);
      call.trace?.failAttempt(lastError);
      if (lastError.code === "internal_error") {
        logOwnFailure(call, lastError);
        throw lastError;
      }
      logFailure(call, backend, lastError);
      if (lastError.status < 500 && lastError.status !== 429) throw lastError;
      registry.recordFailure(backend, lastError.message);
    }
  }
  throw lastError ?? errors.capacityExhausted(`No backend runs ${call.model.id} just now.`);
}

/** Logs what callers must not see: the backend's name and its own error. */
function logFailure({ id, model, exchange }: ResolvedCall, backend: Backend, error: AppError): void {
  const { code, message, cause } = error;
  const reason = cause instanceof Error ? cause.message : message;
  exchange.log.warn({ request_id: id, model: model.id, backend: backend.name, code, reason }, "a backend failed");
}

/** Logs a failure in reading or writing an answer that is this server's, not a backend's. */
export function logOwnFailure({ id, model, exchange }: ResolvedCall, error: AppError): void {
  exchange.log.error({ request_id: id, model: model.id, err: error.cause ?? error }, "an answer cannot be translated");
}

/** Returns the request to a backend for a call. */
export function toUpstreamRequest(call: ResolvedCall, backend: Backend, { firstByteMs }: Timeouts): UpstreamRequest {
  const { kind, model, signal, continuesAnswer } = call;
  const body = continuesAnswer === true ? withContinuedAnswer(backend, call.body) : call.body;
  return {
    dispatcher: backend.agent,
    openDispatcher: backend.openAgent,
    signal,
    options: {
      origin: backend.origin,
      path: backend.basePath + CALL_PATHS[kind],
      method: "POST",
      headers: createHeaders(backend, call),
      body: JSON.stringify(toUpstreamBody(backend, kind, body, model.key)),
      headersTimeout: firstByteMs,
      bodyTimeout: body.stream ? 0 : firstByteMs, // streams have their own idle timeout
    },
  };
}

function createHeaders(backend: Backend, { id, body, exchange, trace }: ResolvedCall): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: body.stream ? "text/event-stream" : "application/json",
    "x-request-id": id,
  };
  const traceparent = trace?.traceparent() ?? null;
  if (traceparent !== null) headers.traceparent = traceparent;
  if (backend.apiKey !== undefined) headers.authorization = `Bearer ${backend.apiKey}`;
  // Only the server's own engine reports which parts of a schema it cannot enforce.
  if (isOwnBackend(backend) && exchange.headers["x-strict-params"] === "1") headers["x-strict-params"] = "1";
  return headers;
}

/**
 * Returns the error for the caller when the connection to a backend fails. A programming error in this server becomes
 * `internal_error`.
 */
export function toUpstreamError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (PROGRAM_ERRORS.some((kind) => error instanceof kind)) return errors.internalError({ cause: error });
  if (error instanceof undiciErrors.HeadersTimeoutError)
    return upstreamTimeout("The backend gave no answer in time.", error);
  if (error instanceof undiciErrors.BodyTimeoutError)
    return upstreamTimeout("The backend stopped in the middle of the answer.", error);
  if (error instanceof undiciErrors.ResponseExceededMaxSizeError)
    return upstreamError("The backend's answer is too large.", error);
  if (error instanceof undiciErrors.ConnectTimeoutError || isConnectionError(error))
    return upstreamError("The backend cannot be reached.", error);
  return upstreamError("The backend broke off before its answer was complete.", error);
}

function isConnectionError(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^E(CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH)$/.test(`${error.code}`)
  );
}
