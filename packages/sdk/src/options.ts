import type { Logger, LogLevel } from "./log.ts";
import type { Fetch, Send } from "./transport.ts";

/** How a client is made. Everything may be left out, or given as `undefined`, which is the same. */
export type FeatherOptions = {
  /**
   * Address of the platform, such as `https://feather.example`; `/api` is added when it is missing. Left out, it is
   * `FEATHER_BASE_URL` of the environment, the page's own origin in a browser, or `http://localhost:4000`.
   */
  baseUrl?: string | undefined;
  /**
   * An API key (`rc_…`). Left out, together with `token` and `credentials`, it is `FEATHER_API_KEY` of the environment;
   * `null` sends none. A page must not hold a key: in a browser it is refused, see `dangerouslyAllowBrowser`.
   */
  apiKey?: string | null | undefined;
  /** A session or access token, or what gives one that holds: it is asked before each call. `apiKey` wins over it. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** Whether a browser sends its cookies: `same-origin` for pages of the platform itself. */
  credentials?: RequestCredentials | undefined;
  /** Headers of every request. */
  headers?: Record<string, string> | undefined;
  /** The `fetch` to use, for proxies and tests. */
  fetch?: Fetch | undefined;
  /**
   * What sends a request in the place of `fetch`, without the `Request` that is dear to make: for programs that start often.
   * `fetch` wins over it.
   */
  send?: Send | undefined;
  /** Milliseconds until an answer must be there; for streams, until it begins. 600,000 if left out. */
  timeout?: number | undefined;
  /** Milliseconds of silence after which a stream that has begun counts as broken. The platform says something every 15 s. */
  streamIdleTimeout?: number | undefined;
  /** How often to try again after failures that may pass. 2 if left out. */
  maxRetries?: number | undefined;
  /** Longest `Retry-After` that is waited for, in milliseconds; the caller is told at once of longer ones. 60,000 if left out. */
  maxRetryAfter?: number | undefined;
  /** Is told of requests, such as `console`. Never gets credentials or bodies. */
  logger?: Logger | undefined;
  /** How much the logger is told. Left out, everything when there is a logger, and nothing when there is none. */
  logLevel?: LogLevel | undefined;
  /** Allows `apiKey` in a browser, where everybody who opens the page can read it. */
  dangerouslyAllowBrowser?: boolean | undefined;
};

const LOCAL = "http://localhost:4000";

type Surroundings = {
  process?: { env?: Record<string, string | undefined> };
  window?: { document?: unknown };
  location?: { origin: string };
};
const around = globalThis as Surroundings;

/** A variable of the environment, where there is one. An empty one counts as not set. */
const variable = (name: string): string | undefined => around.process?.env?.[name] || undefined;

/** Where the API is: the address that was given, or the one of the surroundings, with `/api`. */
export function apiAddress(baseUrl: string | undefined): string {
  const origin = around.location?.origin;
  const trimmed = (baseUrl || variable("FEATHER_BASE_URL") || origin || LOCAL).replace(/\/+$/, "");
  const absolute = trimmed.startsWith("/") && origin ? origin + trimmed : trimmed;
  return absolute.endsWith("/api") ? absolute : `${absolute}/api`;
}

/** The key to send, if any. */
export function keyOf({ apiKey, token, credentials, dangerouslyAllowBrowser }: FeatherOptions): string | undefined {
  const fallback = token === undefined && credentials === undefined ? variable("FEATHER_API_KEY") : undefined;
  const key = apiKey === null ? undefined : apiKey || fallback;
  if (key && around.window?.document && !dangerouslyAllowBrowser)
    throw new TypeError(
      "An API key in a page can be read by everybody who opens it. Use a token, or set dangerouslyAllowBrowser.",
    );
  return key;
}
