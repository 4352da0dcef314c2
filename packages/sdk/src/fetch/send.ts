import { AbortedError, TimeoutError } from "../errors.ts";
import type { RequestOptions } from "../request-options.ts";
import { type LogFunction, redactUrl } from "./log.ts";
import { type Exchange, guardBody, toRequestError } from "./response.ts";
import { getRetryDelayMs } from "./retries.ts";

/** A `fetch`: the global one, or one of the caller. `init.signal` aborts the request. */
export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/** How requests are sent; times are in milliseconds. */
export type SendOptions = {
  fetch: Fetch;
  timeout: number;
  maxRetries: number;
  /** Longest `Retry-After` to wait for, in milliseconds; the response is returned at once for a longer one. */
  maxRetryAfter: number;
  log: LogFunction | undefined;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Returns a random number between 0 and 1. */
  random(): number;
};

/** Limits of one request, in place of those of `SendOptions`. */
export type RequestLimits = Pick<RequestOptions, "signal" | "timeout" | "streamIdleTimeout" | "maxRetries"> & {
  /** Whether the request asks a model: see `isModelPath`. */
  isModelCall?: boolean;
};

/** A response whose headers have arrived, with what aborts it. */
export type SentRequest = {
  readonly response: Response;
  readonly controller: AbortController;
  /** The caller's signal, which no longer reaches the controller once the body has arrived. */
  readonly signal?: AbortSignal | null | undefined;
};

/** The message of the error when the caller's signal aborts. */
export const ABORTED_MESSAGE = "The request was ended by its signal.";
/** The longest time that a timer can wait; a longer one would fire at once. Longer limits are none. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends a request with a time limit, and again after transient failures, with exponentially growing delays. Resolves for every
 * HTTP status; rejects with `AbortedError`, `TimeoutError` or `ConnectionError`, and with `TypeError` for a time limit that is none.
 */
export async function sendRequest(options: SendOptions, request: Request, limits: RequestLimits): Promise<SentRequest> {
  const { signal, timeout = options.timeout, maxRetries = options.maxRetries, isModelCall = false } = limits;
  if (!(timeout >= 0 && (limits.streamIdleTimeout ?? 0) >= 0))
    throw new TypeError("A time limit cannot be below 0 milliseconds.");
  const limitMs = timeout + askedWaitMs(request);
  for (let retries = 0; ; retries++) {
    const isLast = !(retries < maxRetries);
    // The last attempt needs no copy of the body.
    const attempt = isLast ? request : request.clone();
    const result = await sendOnce(options.fetch, attempt, limitMs, signal).catch((error: Error) => error);
    const response = result instanceof Error ? undefined : result.response;
    const delayMs =
      response?.ok || isLast
        ? null
        : getRetryDelayMs(request, response ?? (result as Error), {
            retries,
            isModelCall,
            maxRetryAfterMs: options.maxRetryAfter,
            random: options.random(),
          });
    options.log?.(response?.ok ? "debug" : delayMs === null ? "warn" : "info", "request", {
      method: request.method,
      url: redactUrl(request.url),
      status: response?.status ?? String(result),
      request_id: response?.headers.get("request-id"),
      retry_in_ms: delayMs,
    });
    if (delayMs === null) {
      if (result instanceof Error) throw result;
      return result;
    }
    await response?.body?.cancel().catch(() => {}); // rejects when the connection broke in the middle of the body
    await options.sleep(delayMs, signal ?? undefined);
  }
}

/** Headers with which a request asks the server to wait, for a model or for free units, in seconds. */
const WAIT_HEADERS = ["x-wait-for-model", "x-queue-timeout"];

/** Returns for how many milliseconds a request asks the server to wait, which comes before what the time limit is for. */
function askedWaitMs({ headers }: Request): number {
  const seconds = WAIT_HEADERS.map((name) => Number(headers.get(name)) || 0);
  return seconds.reduce((sum, wait) => sum + wait, 0) * 1000;
}

async function sendOnce(
  fetch: Fetch,
  request: Request,
  timeout: number,
  signal: AbortSignal | null | undefined,
): Promise<SentRequest> {
  const controller = new AbortController();
  const exchange = startExchange(controller, timeout, signal);
  try {
    return { response: guardBody(await fetch(request, { signal: controller.signal }), exchange), controller, signal };
  } catch (cause) {
    exchange.release();
    throw toRequestError(controller, cause, `The server at ${new URL(request.url).origin} cannot be reached.`);
  }
}

/** Lets the caller's signal and the time limit abort a request. */
function startExchange(controller: AbortController, timeout: number, signal: AbortSignal | null | undefined): Exchange {
  const onAbort = () => controller.abort(new AbortedError(ABORTED_MESSAGE, { cause: signal?.reason }));
  const onTimeout = () => controller.abort(new TimeoutError(`The server gave no answer within ${timeout / 1000} s.`));
  const timer = timeout <= MAX_TIMER_MS ? setTimeout(onTimeout, timeout) : undefined;
  const clearTimeLimit = () => clearTimeout(timer);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    controller,
    clearTimeLimit,
    release() {
      clearTimeLimit();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Waits for some milliseconds. Rejects with `AbortedError` when the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(new AbortedError(ABORTED_MESSAGE, { cause: signal?.reason }));
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.min(milliseconds, MAX_TIMER_MS),
    );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
  });
}
