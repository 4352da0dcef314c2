import type { FastifyError, FastifyRequest } from "fastify";
import { isConcurrentChange, isStorageUnavailable, isTransient } from "../db/errors.ts";
import { AppError, notFound } from "../shared/errors.ts";
import { validationError } from "./validation.ts";

/** SQLSTATE for text that PostgreSQL cannot store. */
const NUL_IN_TEXT = "22021";

/** Converts anything thrown while handling a request to the error that the caller is sent. */
export function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (error.validation) return validationError(error.validation, error.validationContext);
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return tooLarge(request.routeOptions.bodyLimit);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return unsupportedMediaType("Send the body as JSON, with the header content-type: application/json.");
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new AppError(400, "invalid_json", "The body is not valid JSON.");
    case NUL_IN_TEXT:
      return new AppError(400, "invalid_request", "The request holds a NUL character, which no text here may hold.");
    case "FST_ERR_NOT_FOUND":
      return notFound();
    default:
      return toOtherError(error);
  }
}

/** 415. */
export function unsupportedMediaType(message: string): AppError {
  return new AppError(415, "unsupported_media_type", message);
}

function tooLarge(max: number): AppError {
  return new AppError(413, "payload_too_large", `The body may hold at most ${max} bytes.`, { details: { max } });
}

/** 409: a concurrent request violated a rule that only a database constraint could detect. */
function changedMeanwhile(cause: unknown): AppError {
  return new AppError(
    409,
    "changed_meanwhile",
    "What this is about was changed or deleted at the same time. Look at it again, and try once more.",
    { cause },
  );
}

function storageUnavailable(cause: unknown): AppError {
  return new AppError(
    503,
    "storage_unavailable",
    "The database cannot be used at the moment. Try again in a few seconds.",
    { headers: { "retry-after": "2" }, cause },
  );
}

function toOtherError(error: FastifyError): AppError {
  if (isStorageUnavailable(error)) return storageUnavailable(error);
  if (isTransient(error) || isConcurrentChange(error)) return changedMeanwhile(error);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new AppError(error.statusCode, "invalid_request", error.message);
  return new AppError(
    500,
    "internal_error",
    "Something went wrong on the server. The request id helps to find it in the log.",
    { cause: error },
  );
}
