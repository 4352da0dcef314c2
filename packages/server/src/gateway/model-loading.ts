import { type AppError, errors } from "../platform/core/errors/index.ts";
import type { Exchange } from "../platform/core/http/exchange.ts";
import type { Loading } from "./model-host.ts";

/** Bounds of `retry-after` in seconds; clients ignore waits over a minute. */
const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 30;

/** Returns how long a caller wants to wait for a model that is loading, in milliseconds; null if they do not say. */
export function readModelWaitMs({ headers }: Pick<Exchange, "headers">): number | null {
  const seconds = headers["x-wait-for-model"];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

/**
 * The error for a model that is being loaded, or would be by a call. Clients do not repeat a call by themselves that has waited
 * for `waitedMs` milliseconds: they would wait as long again.
 */
export function modelLoading(
  modelId: string,
  { tier, stage, progress = null, reason = null, readyAt }: Loading,
  { now, status, waitedMs = 0 }: { now: Date; status: 400 | 503; waitedMs?: number },
): AppError {
  const seconds = readyAt ? Math.ceil((readyAt.getTime() - now.getTime()) / 1000) : MAX_RETRY_AFTER_S;
  const retryAfterSeconds = Math.min(Math.max(seconds, MIN_RETRY_AFTER_S), MAX_RETRY_AFTER_S);
  const hindrance = reason === null ? "" : ` ${reason}`;
  const advice =
    waitedMs > 0
      ? `The call has waited for ${Math.round(waitedMs / 1000)} s. Try again in a while.`
      : "Try again in a while, or send x-wait-for-model: <seconds> to wait for it.";
  const message = `${modelId} ${describeStage(stage, progress)}.${hindrance} ${advice}`;
  return errors.modelLoading(message, {
    ...(waitedMs > 0 && { retry: false }),
    status,
    param: "model",
    type: "server_error",
    retryAfterSeconds,
    headers: { "retry-after-ms": String(retryAfterSeconds * 1000) },
    details: {
      tier,
      loading_stage: stage,
      loading_reason: reason,
      loading_progress: progress,
      estimated_ready_at: readyAt?.toISOString() ?? null,
    },
  });
}

function describeStage(stage: string | null, progress: number | null): string {
  if (stage === "queued") return "is going to be downloaded";
  if (stage === "verifying") return "is downloaded and being verified";
  if (stage === "converting") return "is downloaded and being converted";
  if (stage !== "downloading") return "is being loaded";
  return progress === null ? "is being downloaded" : `is being downloaded (${Math.floor(progress * 100)} %)`;
}
