import { type AppError, errors } from "../../core/errors/index.ts";

/** Returns an error with status 502: a backend failed. */
export function upstreamError(message: string, cause?: unknown): AppError {
  return errors.upstreamError(message, { cause });
}

/** Returns an error with status 504: a backend did not answer in time. */
export function upstreamTimeout(message: string, cause?: unknown): AppError {
  return errors.upstreamTimeout(message, { cause });
}
