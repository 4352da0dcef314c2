import PQueue from "p-queue";
import { errors } from "./errors/index.ts";

/** How much work is done at a time, how much may wait, and how long each may wait before it begins, in milliseconds. */
export type TurnLimits = { running: number; waiting: number; maxWaitMs: number };

/** Does work in its turn. Rejects with 503 `overloaded` if too much waits already, or its turn does not come in time. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets only so much work of a kind run at a time, so that it leaves to all else what both need. */
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
