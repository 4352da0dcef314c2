import type { FastifyBaseLogger, FastifyError } from "fastify";
import { type Actor, toLogFields } from "../core/auth/actor.ts";
import { type AppError, isErrorCode } from "../core/errors/index.ts";
import type { TrafficCounters } from "../core/metrics/traffic-counters.ts";
import { toAppError } from "./framework-errors.ts";

type Deps = {
  /** Called when the database did not answer. */
  onStorageFailure(): void;
  traffic: Pick<TrafficCounters, "countError">;
};
/** The request that failed: `url` is the pattern of its route, since paths may contain secrets; `bodyLimit` in bytes. */
export type FailedRequest = {
  id: string;
  url: string | undefined;
  bodyLimit: number | undefined;
  /** Who made it; undefined if it failed before that was known. */
  actor?: Actor | undefined;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
};
/** Logs an error as far as it is worth it, and returns the error for the caller. */
export type ReportError = (error: unknown, request: FailedRequest) => AppError;

/** Creates the report of errors, which both ways of answering requests share. */
export function createErrorReport({ onStorageFailure, traffic }: Deps): ReportError {
  return (error, { id, url, bodyLimit, actor, log }) => {
    const failure = error as FastifyError;
    const appError = toAppError(failure, bodyLimit);
    traffic.countError(isErrorCode(appError.code) ? appError.code : "other"); // another server may have made up the code
    const logFields = { request_id: id, ...toLogFields(actor), url };
    if (appError.code === "changed_meanwhile") log.warn({ err: failure, ...logFields }, "two calls at once");
    if (appError.code === "storage_unavailable") {
      onStorageFailure();
      log.warn({ ...logFields, code: appError.code, reason: failure.message }, appError.message);
    } else if (BACKEND_FAILURES.has(appError.code))
      log.warn({ ...logFields, code: appError.code, reason: reasonOf(appError) }, appError.message);
    else if (isExpected(error, appError)) log.info({ ...logFields, code: appError.code }, appError.message);
    else if (appError.status >= 500) log.error({ err: failure, ...logFields }, "request failed");
    return appError;
  };
}

/** What a backend did wrong: a stack of this server would explain nothing. */
const BACKEND_FAILURES: ReadonlySet<string> = new Set(["upstream_error", "upstream_timeout"]);

function reasonOf({ cause, message }: AppError): string {
  return cause instanceof Error ? cause.message : message;
}

/** Whether an error is an expected 503, such as a model that is being loaded, rather than a fault of the server. */
function isExpected(error: unknown, appError: AppError): boolean {
  return error === appError && appError.status === 503 && appError.cause === undefined;
}
