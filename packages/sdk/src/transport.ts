import { AbortedError, ConnectionError, retryAfter, TimeoutError } from "./errors.ts";
import { type LogFunction, redactUrl } from "./log.ts";
import type { RequestOptions } from "./types.ts";

/** A custom `fetch`. The signal is passed beside the request and aborts it. */
export type Fetch = (request: Request, init?: { signal?: AbortSignal }) => Promise<Response>;

/** Sends a request as `fetch` does, given its URL and its options. */
export type Send = (url: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>;

/** A request that is ready to send, also repeatedly. */
export type OutgoingRequest = RequestInit & { url: string; method: string; headers: Record<string, string> };

/** A response whose headers have arrived. */
export type TransportResponse = {
  readonly response: Response;
  /** Aborts the request, also while its body is being read. */
  readonly controller: AbortController;
  /** Longest time without data in a stream, in milliseconds; undefined for no limit. */
  readonly idleTimeoutMs: number | undefined;
  /** Clears the time limit, once the response is complete or streams. */
  clearTimeLimit(): void;
  /** Clears the time limit and stops listening to the caller's signal. */
  release(): void;
};

/** Options of a transport; times are in milliseconds. */
export type TransportOptions = {
  fetch: Send;
  timeout: number;
  streamIdleTimeout: number | undefined;
  maxRetries: number;
  /** Longest `Retry-After` to wait for, in milliseconds; the response is returned at once for a longer one. */
  maxRetryAfter: number;
  log: LogFunction | undefined;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  random(): number;
};

type RequestLimits = Pick<RequestOptions, "signal" | "timeout" | "streamIdleTimeout" | "maxRetries">;

const INITIAL_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 8_000;
const ABORTED_MESSAGE = "The request was ended by its signal.";

/**
 * Creates a function that sends requests with a time limit, and retries transient failures with exponential backoff. It
 * rejects with `AbortedError`, `TimeoutError` or `ConnectionError`, and resolves for every HTTP status.
 */
export function createTransport({ fetch, sleep, random, log, ...defaults }: TransportOptions) {
  async function attempt(
    request: OutgoingRequest,
    timeout: number,
    { signal, streamIdleTimeout }: RequestLimits,
  ): Promise<TransportResponse> {
    const controller = new AbortController();
    const onAbort = () => controller.abort(new AbortedError(ABORTED_MESSAGE, { cause: signal?.reason }));
    const timer = setTimeout(
      () => controller.abort(new TimeoutError(`The server gave no answer within ${timeout / 1000} s.`)),
      timeout,
    );
    const clearTimeLimit = () => clearTimeout(timer);
    const release = () => {
      clearTimeLimit();
      signal?.removeEventListener("abort", onAbort);
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
    try {
      const response = await fetch(request.url, { ...request, signal: controller.signal });
      return {
        response,
        controller,
        idleTimeoutMs: streamIdleTimeout ?? defaults.streamIdleTimeout,
        clearTimeLimit,
        release,
      };
    } catch (cause) {
      release();
      throw toRequestError(controller, cause, `The server at ${new URL(request.url).origin} cannot be reached.`);
    }
  }

  return async (request: OutgoingRequest, options: RequestLimits = {}): Promise<TransportResponse> => {
    const { signal, timeout = defaults.timeout, maxRetries = defaults.maxRetries } = options;
    for (let retries = 0; ; retries++) {
      const result = await attempt(request, timeout, options).catch((error: Error) => error);
      const response = result instanceof Error ? undefined : result.response;
      const delayMs =
        response?.ok || retries >= maxRetries
          ? null
          : getRetryDelayMs(request, response ?? (result as Error), retries, defaults.maxRetryAfter, random());
      log?.(response?.ok ? "debug" : delayMs === null ? "warn" : "info", "request", {
        method: request.method,
        url: redactUrl(request.url),
        status: response?.status ?? String(result),
        request_id: response?.headers.get("request-id"),
        retry_in_ms: delayMs,
      });
      if (result instanceof Error) {
        if (delayMs === null) throw result;
      } else {
        if (delayMs === null) return result;
        result.release();
        await result.response.body?.cancel();
      }
      await sleep(delayMs, signal);
    }
  };
}

/** Returns the body as text, within the time limit. Throws `AbortedError`, `TimeoutError` or `ConnectionError`. */
export async function readText({ response, controller, release }: TransportResponse): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw toRequestError(controller, cause, "The connection broke in the middle of the answer.");
  } finally {
    release();
  }
}

/** Returns the error of a failed request: the abort reason (`AbortedError` or `TimeoutError`), or a `ConnectionError`. */
export function toRequestError({ signal }: AbortController, cause: unknown, message: string): Error {
  return signal.aborted ? signal.reason : new ConnectionError(message, { cause });
}

/** Returns the milliseconds to wait before a retry, or null for no retry. */
function getRetryDelayMs(
  request: OutgoingRequest,
  result: Response | Error,
  retries: number,
  maxRetryAfterMs: number,
  random: number,
): number | null {
  const randomDelayMs = Math.min(INITIAL_RETRY_DELAY_MS * 2 ** retries, MAX_RETRY_DELAY_MS) * random;
  // Whether repeating the request is safe. Calls to models change nothing.
  const isRepeatable = request.method !== "POST" || request.url.includes("/v1/");
  if (result instanceof Error) return result instanceof ConnectionError && isRepeatable ? randomDelayMs : null;
  const { status, headers } = result;
  const shouldRetry = headers.get("x-should-retry");
  const isTransient = status === 429 || status === 503 || (isRepeatable && [408, 500, 502, 504].includes(status));
  if (shouldRetry === "false" || (shouldRetry !== "true" && !isTransient)) return null;
  const wait = retryAfter(headers);
  if (wait !== null && wait > maxRetryAfterMs) return null;
  return wait ?? randomDelayMs;
}

/** Waits for some milliseconds. Rejects with `AbortedError` when the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(new AbortedError(ABORTED_MESSAGE, { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
  });
}
