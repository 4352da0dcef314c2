import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";

/** Delay before each retry, as Standard Webhooks proposes. After the last one a delivery has failed. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** The maximum share of a delay that is added at random, so that retries are spread over time. */
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Returns the delay in milliseconds before the next attempt, after `attempts` attempts; null if no attempt is left.
 * `random` is from 0 to 1. If the endpoint sent `Retry-After` (in milliseconds), the delay is at least that, up to a day.
 */
export function nextDelayMs(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const withJitterMs = Math.round(delayMs * (1 + JITTER * random));
  return Math.max(withJitterMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** Converts a `Retry-After` header, in seconds or as a date, to milliseconds. Null if it is missing or unreadable. */
export function parseRetryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
