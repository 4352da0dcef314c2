import { AbortedError, ConnectionError, retryAfter, TimeoutError } from "./errors.ts";
import { type Log, redacted } from "./log.ts";
import type { RequestOptions } from "./types.ts";

/** A custom `fetch`. The signal is passed beside the request and aborts it. */
export type Fetch = (request: Request, init?: { signal?: AbortSignal }) => Promise<Response>;

/** Sends a request as `fetch` does, given its URL and its options. */
export type Send = (url: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>;

/** A request that is ready to send, also repeatedly. */
export type Outgoing = RequestInit & { url: string; method: string; headers: Record<string, string> };

/** A response whose headers have arrived. */
export type Sent = {
  readonly response: Response;
  /** Aborts the request, also while its body is being read. */
  readonly controller: AbortController;
  /** Longest time without data in a stream, in milliseconds; undefined for no limit. */
  readonly idle: number | undefined;
  /** Clears the time limit, once the response is complete or streams. */
  stopClock(): void;
  /** Clears the time limit and stops listening to the caller's signal. */
  settle(): void;
};

/** Options of a transport; times are in milliseconds. */
export type TransportOptions = {
  fetch: Send;
  timeout: number;
  streamIdleTimeout: number | undefined;
  maxRetries: number;
  /** Longest `Retry-After` to wait for, in milliseconds; the response is returned at once for a longer one. */
  maxRetryAfter: number;
  log: Log | undefined;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  random(): number;
};

type Limits = Pick<RequestOptions, "signal" | "timeout" | "streamIdleTimeout" | "maxRetries">;

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
const ENDED = "The request was ended by its signal.";

/**
 * Creates a function that sends requests with a time limit, and retries transient failures with exponential backoff. It
 * rejects with `AbortedError`, `TimeoutError` or `ConnectionError`, and resolves for every HTTP status.
 */
export function createTransport({ fetch, sleep, random, log, ...defaults }: TransportOptions) {
  async function attempt(request: Outgoing, timeout: number, { signal, streamIdleTimeout }: Limits): Promise<Sent> {
    const controller = new AbortController();
    const onAbort = () => controller.abort(new AbortedError(ENDED, { cause: signal?.reason }));
    const timer = setTimeout(
      () => controller.abort(new TimeoutError(`The server gave no answer within ${timeout / 1000} s.`)),
      timeout,
    );
    const stopClock = () => clearTimeout(timer);
    const settle = () => {
      stopClock();
      signal?.removeEventListener("abort", onAbort);
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
    try {
      const response = await fetch(request.url, { ...request, signal: controller.signal });
      return { response, controller, idle: streamIdleTimeout ?? defaults.streamIdleTimeout, stopClock, settle };
    } catch (cause) {
      settle();
      throw faultOf(controller, cause, `The server at ${new URL(request.url).origin} cannot be reached.`);
    }
  }

  return async (request: Outgoing, options: Limits = {}): Promise<Sent> => {
    const { signal, timeout = defaults.timeout, maxRetries = defaults.maxRetries } = options;
    for (let tries = 0; ; tries++) {
      const sent = await attempt(request, timeout, options).catch((error: Error) => error);
      const response = sent instanceof Error ? undefined : sent.response;
      const pause =
        response?.ok || tries >= maxRetries
          ? null
          : pauseBefore(request, response ?? (sent as Error), tries, defaults.maxRetryAfter, random());
      log?.(response?.ok ? "debug" : pause === null ? "warn" : "info", "request", {
        method: request.method,
        url: redacted(request.url),
        status: response?.status ?? String(sent),
        request_id: response?.headers.get("request-id"),
        retry_in_ms: pause,
      });
      if (sent instanceof Error) {
        if (pause === null) throw sent;
      } else {
        if (pause === null) return sent;
        sent.settle();
        await sent.response.body?.cancel();
      }
      await sleep(pause, signal);
    }
  };
}

/** Returns the body as text, within the time limit. Throws `AbortedError`, `TimeoutError` or `ConnectionError`. */
export async function bodyOf({ response, controller, settle }: Sent): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw faultOf(controller, cause, "The connection broke in the middle of the answer.");
  } finally {
    settle();
  }
}

/** Returns the error of a failed request: the abort reason (`AbortedError` or `TimeoutError`), or a `ConnectionError`. */
export function faultOf({ signal }: AbortController, cause: unknown, message: string): Error {
  return signal.aborted ? signal.reason : new ConnectionError(message, { cause });
}

/** Returns the milliseconds to wait before a retry, or null for no retry. */
function pauseBefore(
  request: Outgoing,
  result: Response | Error,
  tries: number,
  longest: number,
  random: number,
): number | null {
  const drawn = Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE) * random;
  // Whether repeating the request is safe. Calls to models change nothing.
  const repeatable = request.method !== "POST" || request.url.includes("/v1/");
  if (result instanceof Error) return result instanceof ConnectionError && repeatable ? drawn : null;
  const { status, headers } = result;
  const told = headers.get("x-should-retry");
  const passing = status === 429 || status === 503 || (repeatable && [408, 500, 502, 504].includes(status));
  if (told === "false" || (told !== "true" && !passing)) return null;
  const wait = retryAfter(headers);
  if (wait !== null && wait > longest) return null;
  return wait ?? drawn;
}

/** Waits for some milliseconds. Rejects with `AbortedError` when the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(new AbortedError(ENDED, { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
  });
}
