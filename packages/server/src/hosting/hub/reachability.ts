import type { Logger } from "pino";
import { AppError } from "../../platform/core/errors/index.ts";
import { describeCause } from "../../platform/core/errors/message-of.ts";
import type { Hub } from "./hub.ts";

/**
 * Returns the hub with a log of its reachability: one line when it cannot be reached, and one when it can be reached again,
 * however many requests are made meanwhile. Requests that their caller aborted are ignored.
 */
export function logReachability(hub: Hub, log: Pick<Logger, "info" | "warn">): Hub {
  let isReachable = true;
  async function watch<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      const result = await work;
      noteSuccess();
      return result;
    } catch (error) {
      if (error instanceof AppError && !signal?.aborted) noteFailure(error);
      throw error;
    }
  }
  function noteSuccess(): void {
    if (!isReachable) log.info("The model hub can be reached again.");
    isReachable = true;
  }
  function noteFailure(error: AppError): void {
    const hasAnswered = error.code !== "hub.unavailable";
    if (hasAnswered) noteSuccess();
    else if (isReachable)
      log.warn({ reason: describeCause(error.cause) }, "The model hub cannot be reached. It is tried again by itself.");
    isReachable = hasAnswered;
  }
  return {
    isComplete: hub.isComplete,
    model: (id, access) => watch(hub.model(id, access), access?.signal),
    findQuantized: (id, signal) => watch(hub.findQuantized(id, signal), signal),
    download: (id, path, access) => watch(hub.download(id, path, access), access?.signal),
    verifyAccess: (id, token, signal) => watch(hub.verifyAccess(id, token, signal), signal),
  };
}
