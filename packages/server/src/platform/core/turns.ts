import PQueue from "p-queue";
import { errors } from "./errors/index.ts";

/** The number of tasks that run at the same time, the number that may wait, and the longest wait in milliseconds. */
export type TurnLimits = { running: number; waiting: number; maxWaitMs: number };

/**
 * Runs work when fewer than `running` tasks are running. Rejects with 503 `overloaded` if too many tasks are waiting or the
 * wait takes too long.
 */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a concurrency limit for a kind of work, so that it leaves resources for other work. */
export function createTurns({ running, waiting, maxWaitMs }: TurnLimits): TakeTurn {
  const queue = new PQueue({ concurrency: running });
  return async (work) => {
    if (queue.size >= waiting) throw errors.overloaded();
    const turn = new AbortController();
    const timer = setTimeout(() => turn.abort(errors.overloaded()), maxWaitMs);
    const begin = () => {
      clearTimeout(timer);
      return work();
    };
    return queue.add(begin, { signal: turn.signal });
  };
}
