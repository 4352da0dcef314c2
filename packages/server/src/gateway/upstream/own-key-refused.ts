import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { OwnKey } from "../backends/own-keys.ts";
import type { RefusedKeyError } from "./refused-key.ts";

/** Bounds of `retry-after` in seconds. Clients ignore long waits. */
const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 30;

/**
 * Returns the error for the caller whose organization's own key was refused: `rate_limit_exceeded` at the provider's limit of
 * requests, which ends by itself, and `own_key_refused` otherwise.
 */
export function ownKeyRefused({ refusal, cause }: RefusedKeyError, { provider }: OwnKey): AppError {
  const { failure, reason, retryAfterMs } = refusal;
  const message = `${provider} refused your organization's own key: ${failure.error}`;
  if (reason === "limit") {
    const seconds = Math.ceil((retryAfterMs ?? 0) / SECOND_MS);
    const retryAfterSeconds = Math.min(Math.max(seconds, MIN_RETRY_AFTER_S), MAX_RETRY_AFTER_S);
    return errors.rateLimitExceeded(message, { retryAfterSeconds, cause });
  }
  return errors.ownKeyRefused(`${message} ${failure.advice ?? ""}`.trim(), { cause });
}
