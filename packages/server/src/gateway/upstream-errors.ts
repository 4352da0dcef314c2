import { AppError, errors } from "../platform/core/errors/index.ts";

/** Returns an error with status 502: a backend failed. */
export function upstreamError(message: string, cause?: unknown): AppError {
  return errors.upstreamError(message, { cause });
}

/** Returns an error with status 504: a backend did not answer in time. */
export function upstreamTimeout(message: string, cause?: unknown): AppError {
  return errors.upstreamTimeout(message, { cause });
}

/**
 * A refusal for which nothing is wrong with the backend: it cannot answer calls like this one, and another may. `isLasting`
 * says that it holds for every call of its kind to the model.
 */
export class UnsuitableBackendError extends AppError {
  readonly isLasting: boolean;

  /** Takes status, code, message, param and cause from the error for the caller. */
  constructor({ status, code, message, param, details, cause }: AppError, { isLasting }: { isLasting: boolean }) {
    super(status, code, message, { cause, ...(param !== undefined && { param }), ...(details && { details }) });
    this.isLasting = isLasting;
  }
}
