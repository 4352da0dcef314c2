import { type Dispatcher, errors, request } from "undici";
import { AppError } from "../../shared/errors.ts";
import type { Backend, BackendRegistry } from "../backends/registry.ts";
import { CALL_PATHS, type ResolvedCall } from "../call.ts";

export type Timeouts = { firstByteMs: number; idleMs: number };
export type Dispatched = { backend: Backend; response: Dispatcher.ResponseData };

const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504]);
const MOST_TRIES = 3;

/**
 * Sends the call to the best backend, and to the next one when that fails before its first byte. Throws what the caller
 * should be told: the backend's own refusal of the request, or that none could answer.
 */
export async function dispatch(call: ResolvedCall, registry: BackendRegistry, timeouts: Timeouts): Promise<Dispatched> {
  let last: AppError | undefined;
  for (const backend of call.backends.slice(0, MOST_TRIES)) {
    backend.inFlight += 1;
    const result = await attempt(call, backend, timeouts).catch((error: unknown) => toAppError(error, timeouts));
    if (!(result instanceof AppError)) {
      registry.succeeded(backend, call.model.id);
      return { backend, response: result };
    }
    backend.inFlight -= 1;
    call.signal.throwIfAborted(); // the caller has gone: no fault of the backend, and nobody to try another for
    last = result;
    if (result.status < 500 && result.status !== 429) throw result;
    registry.failed(backend, result.message);
  }
  throw last ?? notServed(call.model.id);
}

async function attempt(
  call: ResolvedCall,
  backend: Backend,
  { firstByteMs, idleMs }: Timeouts,
): Promise<Dispatcher.ResponseData> {
  const response = await request(`${backend.baseUrl.replace(/\/+$/, "")}${CALL_PATHS[call.kind]}`, {
    method: "POST",
    dispatcher: backend.agent,
    headers: {
      "content-type": "application/json",
      accept: call.body.stream ? "text/event-stream" : "application/json",
      "x-request-id": call.id,
      ...(backend.apiKey !== undefined && { authorization: `Bearer ${backend.apiKey}` }),
    },
    body: JSON.stringify(upstreamBody(call, backend)),
    signal: call.signal,
    headersTimeout: firstByteMs,
    bodyTimeout: call.body.stream ? idleMs : firstByteMs,
  });
  if (response.statusCode === 200) return response;
  throw await refusal(response, backend);
}

function upstreamBody({ body, model }: ResolvedCall, backend: Backend): object {
  const name = backend.models.get(model.id) ?? model.id;
  // Usage is always asked for: it is what the receipt is written from.
  return body.stream
    ? { ...body, model: name, stream_options: { ...body.stream_options, include_usage: true } }
    : { ...body, model: name };
}

/** What a backend's error means to the caller. Its 4xx about the request is passed on; its other faults are ours. */
async function refusal(response: Dispatcher.ResponseData, backend: Backend): Promise<AppError> {
  const text = await response.body.text();
  const { message, code, param } = errorIn(text);
  const { statusCode } = response;
  if (statusCode === 400 || statusCode === 413 || statusCode === 422)
    return new AppError(
      statusCode === 413 ? 413 : 400,
      code ?? "invalid_request",
      message ?? "The backend refused the request.",
      { ...(param && { param }) },
    );
  if (statusCode === 429 || statusCode === 503)
    return new AppError(503, "capacity_exhausted", "The backend is at its limit just now. Try again in a moment.", {
      headers: { "retry-after": "2" },
    });
  const words = RETRYABLE.has(statusCode) ? "failed" : "refused to answer";
  return new AppError(502, "upstream_error", `The backend ${backend.name} ${words} (status ${statusCode}).`, {
    headers: { "retry-after": "1" },
  });
}

function errorIn(text: string): { message?: string; code?: string; param?: string } {
  try {
    const body = JSON.parse(text) as {
      error?: { message?: unknown; code?: unknown; param?: unknown } | string;
      message?: unknown;
    };
    const error = typeof body.error === "object" ? body.error : { message: body.error ?? body.message };
    return {
      ...(typeof error.message === "string" && { message: error.message }),
      ...("code" in error && typeof error.code === "string" && { code: error.code }),
      ...("param" in error && typeof error.param === "string" && { param: error.param }),
    };
  } catch {
    return {};
  }
}

function toAppError(error: unknown, { firstByteMs }: Timeouts): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof errors.HeadersTimeoutError)
    return new AppError(504, "upstream_timeout", `The backend gave no answer within ${firstByteMs / 1000} s.`, {
      headers: { "retry-after": "1" },
      cause: error,
    });
  return new AppError(502, "upstream_error", "The backend cannot be reached.", {
    headers: { "retry-after": "1" },
    cause: error,
  });
}

export function notServed(model: string): AppError {
  return new AppError(
    503,
    "capacity_exhausted",
    `No backend that runs ${model} is reachable just now. Start one, or add its address to FEATHER_BACKENDS.`,
    {
      param: "model",
      headers: { "retry-after": "30", "x-should-retry": "false" },
      details: { tier: "offline" },
    },
  );
}
