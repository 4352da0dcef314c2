import type { FastifyError } from "fastify";
import { isConcurrentChange, isStorageUnavailable, isTransient } from "../platform/core/db/errors.ts";
import { AppError, errors } from "../platform/core/errors/index.ts";
import { validationError } from "./validation.ts";

/** SQLSTATE for text that PostgreSQL cannot store. */
const NUL_IN_TEXT = "22021";

/** Converts a value that was thrown while a request was handled to the error for the caller. `bodyLimit` is in bytes. */
export function toAppError(error: FastifyError, bodyLimit: number | undefined): AppError {
  if (error instanceof AppError) return error;
  if (error.validation) return validationError(error.validation, error.validationContext);
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return bodyTooLarge(bodyLimit);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return jsonExpected();
    case NUL_IN_TEXT:
      return errors.invalidRequest("The request holds a NUL character, which no text here may hold.");
    case "FST_ERR_NOT_FOUND":
      return errors.notFound();
    default:
      return toOtherError(error);
  }
}

/** Returns an error with status 415. */
export function unsupportedMediaType(message: string, headers: Record<string, string> = {}): AppError {
  return errors.unsupportedMediaType(message, { headers });
}

/** Returns the error for a body without a content type, or with one that cannot be read. */
export const jsonExpected = (): AppError =>
  unsupportedMediaType("Send the body as JSON, with the header content-type: application/json.");

/** Returns the error for a body of more than `max` bytes. */
export function bodyTooLarge(max: number | undefined): AppError {
  return errors.payloadTooLarge(`The body may hold at most ${max} bytes.`, { details: { max } });
}

/** Returns an error with status 409: a concurrent request violated a rule that only a database constraint could detect. */
function changedMeanwhile(cause: unknown): AppError {
  return errors.changedMeanwhile(
    "What this is about was changed or deleted at the same time. Look at it again, and try once more.",
    { cause },
  );
}

function storageUnavailable(cause: unknown): AppError {
  return errors.storageUnavailable({ cause });
}

function toOtherError(error: FastifyError): AppError {
  if (isStorageUnavailable(error)) return storageUnavailable(error);
  if (isTransient(error) || isConcurrentChange(error)) return changedMeanwhile(error);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return errors.invalidRequest(error.message, { status: error.statusCode });
  return errors.internalError({ cause: error });
}
