import type { ServerResponse } from "node:http";
import { errors } from "../errors/index.ts";

const KEEP_ALIVE_MS = 15_000;
const SHUTDOWN_CHECK_MS = 500;
const RECHECK_MS = 2_000;
const RETRY_AFTER_S = 10;

/** How an event stream that stays open learns that it must end. */
export type LiveStreamOptions = {
  /** Whether the server is stopping: the stream must end, because the server waits for it. */
  isDraining(): boolean;
  /** Throws if the caller has lost access. */
  recheck(): Promise<void>;
};

/**
 * Keeps an event stream alive with comments while nothing happens, and ends it when the server stops or the caller loses
 * access. `onClose` is called once, however it ends.
 */
export function keepLive(raw: ServerResponse, { isDraining, recheck }: LiveStreamOptions, onClose: () => void): void {
  const timers = [
    setInterval(() => raw.writableNeedDrain || raw.write(": keep-alive\n\n"), KEEP_ALIVE_MS),
    setInterval(() => isDraining() && raw.end(), SHUTDOWN_CHECK_MS),
    setInterval(() => recheck().catch(() => raw.end()), RECHECK_MS),
  ];
  raw.once("close", () => {
    for (const timer of timers) clearInterval(timer);
    onClose();
  });
}

/** Limits how many streams of a kind each user may hold open in this process. */
export type StreamLimit = {
  /** Takes one of the user's streams, and returns how to give it back. Throws `rate_limit_exceeded` if all are open. */
  open(userId: string): () => void;
};

/** Creates a limit of so many open streams for each user. */
export function createStreamLimit(maxPerUser: number): StreamLimit {
  const open = new Map<string, number>();
  return {
    open(userId) {
      const count = open.get(userId) ?? 0;
      if (count >= maxPerUser)
        throw errors.rateLimitExceeded(`You have ${maxPerUser} of these streams open. Close one of them first.`, {
          retryAfterSeconds: RETRY_AFTER_S,
        });
      open.set(userId, count + 1);
      return () => {
        const rest = (open.get(userId) ?? 1) - 1;
        if (rest > 0) open.set(userId, rest);
        else open.delete(userId);
      };
    },
  };
}
