import type { FastifyBaseLogger, FastifyError } from "fastify";
import { type Actor, toLogFields } from "../platform/core/auth/actor.ts";
import { type AppError, isErrorCode } from "../platform/core/errors/index.ts";
import { describeCause } from "../platform/core/errors/message-of.ts";
import { type ErrorTranslations, translateError } from "../platform/core/errors/translate-error.ts";
import type { TrafficCounters } from "../platform/core/metrics/traffic-counters.ts";
import { toAppError } from "./framework-errors.ts";

type Deps = {
  /** Called when the database did not respond. */
  onStorageFailure(): void;
  traffic: Pick<TrafficCounters, "countError">;
  /** While the server starts or stops, refusals of probes and calls are expected. */
  lifecycle: { readonly starting: boolean; readonly draining: boolean };
  translations: ErrorTranslations;
};
/** The failed request. `url` is the pattern of its route, since paths may contain secrets; `bodyLimit` is in bytes. */
export type FailedRequest = {
  id: string;
  url: string | undefined;
  bodyLimit: number | undefined;
  /** The caller; undefined if the request failed before authentication. */
  actor?: Actor | undefined;
  /** The header `accept-language` of the request. */
  acceptLanguage: string | undefined;
  log: Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;
};
/** Logs an error if it is relevant for operators, and returns the error for the caller, in their language. */
export type ReportError = (error: unknown, request: FailedRequest) => AppError;

/** Creates the error report, which requests with and without Fastify share. */
export function createErrorReport({ onStorageFailure, traffic, lifecycle, translations }: Deps): ReportError {
  return (error, { id, url, bodyLimit, actor, acceptLanguage, log }) => {
    const failure = error as FastifyError;
    const appError = toAppError(failure, bodyLimit);
    traffic.countError(isErrorCode(appError.code) ? appError.code : "other"); // another server may have made up the code
    const logFields = { request_id: id, ...toLogFields(actor), url };
    if (appError.code === "changed_meanwhile") log.warn({ err: failure, ...logFields }, "two calls at once");
    if (appError.code === "storage_unavailable") {
      onStorageFailure();
      log.warn({ ...logFields, code: appError.code, reason: failure.message }, appError.message);
    } else if (error !== appError || appError.status === 500) {
      if (appError.status >= 500) log.error({ err: failure, ...logFields }, "request failed");
    } else if (appError.status > 500) {
      const { level, reason } = rateRefusal(appError, lifecycle);
      log[level]({ ...logFields, code: appError.code, reason }, appError.message);
    }
    return translateError(appError, acceptLanguage, translations);
  };
}

/**
 * Returns how a refusal by the server is logged: without a stack, which would explain nothing. Expected refusals, such as
 * of a model that is being loaded, have no cause; others report the failure of another server.
 */
function rateRefusal({ code, cause, message }: AppError, { starting, draining }: Deps["lifecycle"]) {
  const reason = cause === undefined ? undefined : describeCause(cause);
  if (code === "hub.unavailable") return { level: "debug", reason } as const; // told once, by `logReachability`
  if (cause === undefined && !BACKEND_FAILURES.has(code))
    return { level: starting || draining ? "debug" : "info", reason } as const;
  return { level: "warn", reason: reason ?? message } as const;
}

/** Codes of failures of a backend, which are logged as a warning even without a cause. */
const BACKEND_FAILURES: ReadonlySet<string> = new Set(["upstream_error", "upstream_timeout"]);
