import { AppError, type ErrorOptions } from "./app-error.ts";
import { ERROR_STATUSES, type ErrorCode } from "./factories.generated.ts";

export { AppError, type ErrorOptions } from "./app-error.ts";
export { type ErrorCode, errors } from "./factories.generated.ts";

/** Creates an error whose code is known only at run time. `errors` has a function for each other error. */
export function createError(code: ErrorCode, message: string, options: ErrorOptions = {}): AppError {
  return new AppError(ERROR_STATUSES[code], code, message, options);
}

/**
 * Creates an error with status 400 and the code of the server behind this one, which may be any text; `invalid_request`
 * without one.
 */
export function createForwardedError(code: string | null, message: string, options: ErrorOptions = {}): AppError {
  return new AppError(400, code ?? "invalid_request", message, options);
}

/** Returns whether a text is an error code of the contract. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_STATUSES, code);

/** Returns whether a thrown value is an error with this code. */
export function hasCode(error: unknown, code: ErrorCode): error is AppError {
  return error instanceof AppError && error.code === code;
}
