import { AppError } from "../../shared/errors.ts";

/** 502: a backend failed. */
export function upstreamError(message: string, cause?: unknown): AppError {
  return new AppError(502, "upstream_error", message, { headers: { "retry-after": "1" }, cause });
}

/** 504: a backend did not answer in time. */
export function upstreamTimeout(message: string, cause?: unknown): AppError {
  return new AppError(504, "upstream_timeout", message, { headers: { "retry-after": "1" }, cause });
}
