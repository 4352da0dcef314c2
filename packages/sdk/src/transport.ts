import { AbortedError, ConnectionError, retryAfter, TimeoutError } from "./errors.ts";
import type { RequestOptions } from "./types.ts";

export type Fetch = (request: Request, init?: { signal?: AbortSignal }) => Promise<Response>;
export type Logger = { debug(message: string, fields: Record<string, unknown>): void };

export type TransportOptions = {
  fetch: Fetch;
  timeout: number;
  maxRetries: number;
  logger?: Logger | undefined;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  random(): number;
};

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
/** A server that wants us to wait longer is not waited for: the caller is told. */
const LONGEST_RETRY_AFTER = 60_000;
const SAFE = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Sends requests: with a time limit, and again after failures that may pass. */
export function createTransport(defaults: TransportOptions) {
  const { sleep, random, logger } = defaults;

  async function attempt(request: Request, timeout: number, signal: AbortSignal | undefined): Promise<Response> {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new TimeoutError(`The server gave no answer within ${timeout / 1000} s.`)),
      timeout,
    );
    const signals = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
    try {
      // Not as the signal of another Request: one that nobody holds is collected in Node, and its signal then never fires.
      return await defaults.fetch(request.clone(), { signal: signals });
    } catch (cause) {
      if (signal?.aborted) throw new AbortedError("The request was ended by its signal.", { cause });
      if (limit.signal.aborted) throw limit.signal.reason;
      throw new ConnectionError(`The server at ${new URL(request.url).origin} cannot be reached.`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return async (request: Request, options: RequestOptions = {}): Promise<Response> => {
    const { signal, timeout = defaults.timeout, maxRetries = defaults.maxRetries } = options;
    for (let tries = 0; ; tries++) {
      const result = await attempt(request, timeout, signal).catch((error: unknown) => error);
      const last = tries >= maxRetries;
      const pause = last ? null : pauseBefore(request, result, tries, random());
      logger?.debug("request", {
        method: request.method,
        url: request.url,
        status: result instanceof Response ? result.status : String(result),
        retry_in_ms: pause,
      });
      if (pause === null) {
        if (result instanceof Response) return result;
        throw result;
      }
      if (result instanceof Response) await result.body?.cancel();
      await sleep(pause, signal);
    }
  };
}

/** Milliseconds to wait before another try, or null when there is to be none. */
function pauseBefore(request: Request, result: unknown, tries: number, random: number): number | null {
  const drawn = Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE) * random;
  if (!(result instanceof Response)) return result instanceof ConnectionError && repeatable(request) ? drawn : null;
  const told = result.headers.get("x-should-retry");
  const passing =
    result.status === 429 ||
    result.status === 503 ||
    ([408, 500, 502, 504].includes(result.status) && repeatable(request));
  if (told === "false" || (told !== "true" && !passing)) return null;
  const wait = retryAfter(result.headers);
  if (wait !== null && wait > LONGEST_RETRY_AFTER) return null;
  return wait ?? drawn;
}

/** Whether doing it twice does no harm. Calls to models change nothing. */
function repeatable(request: Request): boolean {
  return SAFE.has(request.method) || new URL(request.url).pathname.includes("/v1/");
}

/** Waits, unless the signal ends first. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(new AbortedError("The request was ended by its signal."));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
