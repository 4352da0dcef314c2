import type { Logger } from "pino";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import { MARKETPLACE_NAMES, type MarketplaceProvider } from "../../billing/index.ts";

/** Sends requests to a marketplace. */
export type JsonRequests = {
  provider: MarketplaceProvider;
  fetch: Outgoing["fetch"];
  /** Resolves after this number of milliseconds. */
  wait(ms: number): Promise<unknown>;
  log: Pick<Logger, "error">;
};
/** A request. Its body is sent as JSON, or as a form. */
export type JsonRequest = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  url: URL;
  headers?: Record<string, string>;
  json?: object;
  form?: Record<string, string>;
};
/** A response below 500 that is not 429; the body is null where it is no JSON object. */
export type JsonResponse = { status: number; body: Readonly<Record<string, unknown>> | null };

/** The first attempt and two more. All that is sent may be sent twice. */
const MAX_ATTEMPTS = 3;
const WAIT_MS = SECOND_MS;
/** A marketplace that wants to be asked later than this is asked again by the job. */
const MAX_WAIT_MS = 5 * SECOND_MS;
const TIMEOUT_MS = 10 * SECOND_MS;

/**
 * Sends a request, again when the marketplace limits requests or fails. Throws `marketplace.unavailable`, and logs the
 * status without bodies and headers, which hold tokens.
 */
export async function requestJson(requests: JsonRequests, request: JsonRequest): Promise<JsonResponse> {
  const { provider, wait, log } = requests;
  for (let attempt = 1; ; attempt++) {
    const response = await send(requests, request).catch((error: unknown) => toFailure(error));
    if ("body" in response) return response;
    if (attempt < MAX_ATTEMPTS && response.retryAfterMs <= MAX_WAIT_MS) {
      await wait(response.retryAfterMs);
      continue;
    }
    const { method, url } = request;
    const details = { method, host: url.host, status: response.status, code: response.code };
    log.error({ marketplace: details }, `${MARKETPLACE_NAMES[provider]} did not carry out a request`);
    throw toUnavailable(provider);
  }
}

/** Returns the error for a marketplace that does not answer, or rejects the credentials of this server. */
export function toUnavailable(provider: MarketplaceProvider): AppError {
  return errors.marketplace.unavailable({ marketplace: MARKETPLACE_NAMES[provider] });
}

type Failure = { status: number | null; code: string | null; retryAfterMs: number };

async function send({ fetch }: JsonRequests, request: JsonRequest): Promise<JsonResponse | Failure> {
  const { method, url, headers = {}, json, form } = request;
  const response = await fetch(url, {
    method,
    headers: { accept: "application/json", ...headers, ...(json && { "content-type": "application/json" }) },
    ...(json && { body: JSON.stringify(json) }),
    ...(form && { body: new URLSearchParams(form) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { status } = response;
  const text = await response.text();
  if (status !== 429 && status < 500) return { status, body: parseObject(text) };
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return { status, code: null, retryAfterMs: Number.isFinite(seconds) ? seconds * SECOND_MS : WAIT_MS };
}

function toFailure(error: unknown): Failure {
  const cause = error instanceof Error ? (error.cause ?? error) : null;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : null;
  return { status: null, code, retryAfterMs: WAIT_MS };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
