import { AppError, hasCode } from "../platform/core/errors/index.ts";
import type { Call, Outcome } from "./call.ts";

/** Returns the outcome of a call that ended with an error or was aborted. */
export function toFailedOutcome(error: unknown, { signal }: Call): Outcome {
  const noResult = { backend: null, firstByteMs: null, usage: null, deltas: 0 };
  const cause = signal.aborted ? signal.reason : error;
  if (signal.aborted && !(cause instanceof AppError))
    return { ...noResult, outcome: "aborted", status: 499, errorCode: "client_closed" };
  const { status, code } = cause instanceof AppError ? cause : { status: 500, code: "internal_error" };
  return { ...noResult, outcome: toFailedOutcomeName(signal), status, errorCode: code };
}

/**
 * Returns how a call with an error ended. A call that its caller stopped, or that nobody read any more, counts as aborted,
 * like one whose caller disconnected: the generated tokens are charged.
 */
export function toFailedOutcomeName(signal: AbortSignal): "aborted" | "interrupted" | "failed" {
  if (!signal.aborted) return "failed";
  const isCallers = hasCode(signal.reason, "request_stopped") || hasCode(signal.reason, "streams.unread");
  return isCallers ? "aborted" : "interrupted";
}
