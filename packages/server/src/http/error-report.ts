import type { FastifyBaseLogger, FastifyError } from "fastify";
import type { AppError } from "../core/errors/index.ts";
import { toAppError } from "./framework-errors.ts";

type Deps = {
  /** Called when the database did not answer. */
  onStorageFailure(): void;
};
/** The request that failed: `url` is the pattern of its route, since paths may contain secrets; `bodyLimit` in bytes. */
export type FailedRequest = {
  id: string;
  url: string | undefined;
  bodyLimit: number | undefined;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
};
/** Logs an error as far as it is worth it, and returns the error for the caller. */
export type ReportError = (error: unknown, request: FailedRequest) => AppError;

/** Creates the report of errors, which both ways of answering requests share. */
export function createErrorReport({ onStorageFailure }: Deps): ReportError {
  return (error, { id, url, bodyLimit, log }) => {
    const failure = error as FastifyError;
    const appError = toAppError(failure, bodyLimit);
    const logFields = { request_id: id, url };
    if (appError.code === "changed_meanwhile") log.warn({ err: failure, ...logFields }, "two calls at once");
    if (appError.code === "storage_unavailable") {
      onStorageFailure();
      log.warn({ ...logFields, code: appError.code, reason: failure.message }, appError.message);
    } else if (isExpected(error, appError)) log.info({ ...logFields, code: appError.code }, appError.message);
    else if (appError.status >= 500) log.error({ err: failure, ...logFields }, "request failed");
    return appError;
  };
}

/** Whether an error is an expected 503, such as a model that is being loaded, rather than a fault of the server. */
function isExpected(error: unknown, appError: AppError): boolean {
  return error === appError && appError.status === 503 && appError.cause === undefined;
}
