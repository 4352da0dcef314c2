import type { Logger, LogLevel } from "./fetch/log.ts";
import type { Fetch } from "./fetch/send.ts";
import { toSiteUrl } from "./fetch/url.ts";

/** Options of a client. All are optional; `undefined` means omitted. */
export type FeatherOptions = {
  /**
   * URL of the platform, such as `https://feather.example`. That of its API, `https://feather.example/api`, and the one that
   * clients of OpenAI are given, `https://feather.example/v1`, mean the same. Defaults to the environment variable
   * `FEATHER_BASE_URL`, then the page's origin in a browser, then `http://localhost:4000`.
   */
  baseUrl?: string | undefined;
  /**
   * An API key (`rc_…`). Defaults to the environment variable `FEATHER_API_KEY` when `token` and `credentials` are omitted
   * too; `null` sends none. In a browser a key throws `TypeError`: see `dangerouslyAllowBrowser`.
   */
  apiKey?: string | null | undefined;
  /** A session or access token, or a function that returns one and is called before each request. `apiKey` takes precedence. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** Whether a browser sends its cookies: `same-origin` on the platform's own pages. */
  credentials?: RequestCredentials | undefined;
  /** Headers of every request. */
  headers?: Record<string, string> | undefined;
  /**
   * Replaces `fetch`, for tests and for what `fetchOptions` cannot express. It gets a `Request`, and the request's
   * signal as an option.
   */
  fetch?: Fetch | undefined;
  /** Options for each `fetch`, such as undici's `dispatcher` in Node or `proxy` in Bun. */
  fetchOptions?: Record<string, unknown> | undefined;
  /**
   * Milliseconds until the response must be complete; for streams, until it must begin. Default 600,000.
   * What a request asks the server to wait, with `x-wait-for-model` or `x-queue-timeout`, comes on top.
   */
  timeout?: number | undefined;
  /** Milliseconds without data after which a stream counts as broken. The platform sends something every 15 s. No limit by default. */
  streamIdleTimeout?: number | undefined;
  /** Maximum number of retries after transient failures. Default 2. */
  maxRetries?: number | undefined;
  /** Longest `Retry-After` to wait for, in milliseconds; a longer one throws at once. Default 60,000. */
  maxRetryAfter?: number | undefined;
  /** Receives a message for each request, such as `console`. Never receives credentials or bodies. */
  logger?: Logger | undefined;
  /** The least severe level to log. Defaults to `debug` with a `logger`, and to `off` without one. */
  logLevel?: LogLevel | undefined;
  /** Allows `apiKey` in a browser, where every visitor of the page can read it. */
  dangerouslyAllowBrowser?: boolean | undefined;
};

const DEFAULT_BASE_URL = "http://localhost:4000";

type GlobalEnvironment = {
  process?: { env?: Record<string, string | undefined> };
  window?: { document?: unknown };
  location?: { origin: string };
};
const globals = globalThis as GlobalEnvironment;

/** Returns an environment variable; undefined when it is empty, or when there is no environment. */
const readEnvironmentVariable = (name: string): string | undefined => globals.process?.env?.[name] || undefined;

/**
 * Returns the URL of the API, ending in `/api`: the one given, or the default of the environment. Throws `TypeError` for a URL
 * of no protocol.
 */
export function resolveApiUrl(baseUrl: string | undefined): string {
  // Pages from files and sandboxed frames have the origins `file://` and `null`, which no platform has.
  const origin = globals.location?.origin.startsWith("http") ? globals.location.origin : undefined;
  const siteUrl = toSiteUrl(baseUrl || readEnvironmentVariable("FEATHER_BASE_URL") || origin || DEFAULT_BASE_URL);
  const isPath = siteUrl === "" || siteUrl.startsWith("/");
  const apiUrl = `${isPath && origin ? origin : ""}${siteUrl}/api`;
  if (!/^https?:\/\//i.test(apiUrl))
    throw new TypeError(`The base URL ${baseUrl || siteUrl} has no http:// or https://.`);
  return apiUrl;
}

/** Returns the API key to send, if any. Throws `TypeError` for a key in a browser that is not allowed explicitly. */
export function resolveApiKey({
  apiKey,
  token,
  credentials,
  dangerouslyAllowBrowser,
}: FeatherOptions): string | undefined {
  // The environment is only read when nothing was given: Deno asks its user for permission.
  const isKeyOmitted = apiKey !== null && token === undefined && credentials === undefined;
  const key = apiKey || (isKeyOmitted ? readEnvironmentVariable("FEATHER_API_KEY") : undefined);
  if (key && globals.window?.document && !dangerouslyAllowBrowser)
    throw new TypeError(
      "An API key in a page can be read by everybody who opens it. Use a token, or set dangerouslyAllowBrowser.",
    );
  return key;
}
