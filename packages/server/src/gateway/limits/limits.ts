import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { BorrowedLimit } from "./counter.ts";
import { createDailyLimit, type DailyLimit } from "./daily-limit.ts";
import { createDailyRequests, createOwnDailyRequests } from "./daily-requests.ts";
import { createModelSwitchTable } from "./model-switch-table.ts";
import { createModelSwitches, type ModelSwitches } from "./model-switches.ts";
import { createSharedModelSwitches } from "./shared-model-switches.ts";
import { createSharedUnits, createUnits, type Units } from "./units.ts";
import { createUnitsLender } from "./units-lender.ts";
import type { WaitQueue } from "./wait-queue.ts";

const TICK_MS = 2 * SECOND_MS;

/** The limits of the callers' plans. */
export type Limits = {
  units: Units;
  modelSwitches: ModelSwitches;
  dailyLimit: DailyLimit;
  /** Starts to return idle shares of the limits to other processes. Returns a function that returns all of them. */
  start(): () => Promise<void>;
};

type Deps = { db: Database; clock: Clock; replicas: Replicas; waitQueue: WaitQueue };

/** Creates the limits. They lend to themselves when this process works on the database alone, and borrow otherwise. */
export function createLimits({ db, clock, replicas, waitQueue }: Deps): Limits {
  if (replicas.isAlone) {
    const lender = createOwnDailyRequests(db, clock);
    const dailyLimit = createDailyLimit({ replicas, lender, now: () => clock.now().getTime() });
    const units = createUnits(clock, waitQueue);
    return { units, modelSwitches: createModelSwitches(clock), dailyLimit, start: () => startTicks([dailyLimit]) };
  }
  const { units, borrowed } = createSharedUnits(clock, waitQueue, { replicas, lender: createUnitsLender(db) });
  const modelSwitches = createSharedModelSwitches(replicas, createModelSwitchTable(db));
  const dailyLimit = createDailyLimit({ replicas, lender: createDailyRequests(db), now: () => performance.now() });
  return { units, modelSwitches, dailyLimit, start: () => startTicks([borrowed, modelSwitches, dailyLimit]) };
}

function startTicks(limits: readonly BorrowedLimit[]): () => Promise<void> {
  const timer = setInterval(() => {
    for (const { tick } of limits) tick();
  }, TICK_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(limits.map(({ stop }) => stop()));
  };
}
