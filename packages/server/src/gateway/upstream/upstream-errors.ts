import { type AppError, errors } from "../../core/errors/index.ts";

/** 502: a backend failed. */
export function upstreamError(message: string, cause?: unknown): AppError {
  return errors.upstreamError(message, { cause });
}

/** 504: a backend did not answer in time. */
export function upstreamTimeout(message: string, cause?: unknown): AppError {
  return errors.upstreamTimeout(message, { cause });
}
