import { errors } from "../../platform/core/errors/index.ts";

/** Returns `hub.unavailable` (503): the hub cannot be reached or has failed. */
export const hubUnavailable = (cause?: unknown) =>
  errors.hub.unavailable("The model hub cannot be reached just now. Try again in a minute.", {
    retryAfterSeconds: 60,
    cause,
  });

/** Returns `hub.rate_limited` (503): the hub rejects requests for the given number of seconds. */
export const hubRateLimited = (seconds: number) =>
  errors.hub.rateLimited({ seconds }, { retryAfterSeconds: seconds, details: { retry_after: seconds } });

/** Returns `hub.invalid_response` (502): the hub responded with something unexpected. */
export const hubInvalidResponse = (what: string, cause?: unknown) =>
  errors.hub.invalidResponse({ expected: what }, { cause });
