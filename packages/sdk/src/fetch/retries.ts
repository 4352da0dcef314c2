import { ConnectionError, retryAfter, TimeoutError } from "../errors.ts";

const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Part of a delay that is random, so that clients that failed together do not return together. */
const JITTER = 0.25;
/** Statuses that say nothing about whether the request was carried out. */
const UNCERTAIN_STATUSES = [408, 500, 502, 504];

/** What a retry depends on besides the request and its outcome. */
export type RetryState = {
  /** How often the request was repeated. */
  readonly retries: number;
  readonly isModelCall: boolean;
  readonly maxRetryAfterMs: number;
  /** Between 0 and 1. */
  readonly random: number;
};

/**
 * Returns the milliseconds to wait before a retry, or null for no retry. A request that may have been carried out is repeated
 * only when that is safe: everything but a POST, a POST with an idempotency key, and a call of a model, as long as nothing of
 * the answer has come. A model that took longer than the time limit is not asked again: it may still be at work.
 */
export function getRetryDelayMs(
  request: Request,
  result: Response | Error,
  { retries, isModelCall, maxRetryAfterMs, random }: RetryState,
): number | null {
  const delayMs = Math.min(INITIAL_DELAY_MS * 2 ** retries, MAX_DELAY_MS) * (1 - JITTER * random);
  if (isModelCall && result instanceof TimeoutError) return null;
  const isRepeatable = isModelCall || request.method !== "POST" || request.headers.has("idempotency-key");
  if (result instanceof Error) return isTransientError(result) && isRepeatable ? delayMs : null;
  const { status, headers } = result;
  const shouldRetry = headers.get("x-should-retry");
  const isTransient = status === 429 || status === 503 || (isRepeatable && UNCERTAIN_STATUSES.includes(status));
  if (shouldRetry === "false" || (shouldRetry !== "true" && !isTransient)) return null;
  const wait = retryAfter(headers);
  if (wait !== null && wait > maxRetryAfterMs) return null;
  return wait ?? delayMs;
}

/** Codes of failures that a retry meets again: a certificate, or a header, that is not accepted. */
const LASTING_CODE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|ERR_INVALID/;

function isTransientError(error: Error): boolean {
  if (!(error instanceof ConnectionError)) return false;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause)
    if ("code" in cause && LASTING_CODE.test(String(cause.code))) return false;
  return true;
}
