import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import { createDailyLimit, type DailyLimit } from "./daily-limit.ts";
import { createDailyRequests } from "./daily-requests.ts";
import { createModelSwitchTable } from "./model-switch-table.ts";
import { createModelSwitches, type ModelSwitches } from "./model-switches.ts";
import { createSharedDailyLimit } from "./shared-daily-limit.ts";
import type { SharedLimit } from "./shared-limit.ts";
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

/** Creates the limits: in memory when this process works on the database alone, and shared with others otherwise. */
export function createLimits({ db, clock, replicas, waitQueue }: Deps): Limits {
  if (replicas.isAlone)
    return {
      units: createUnits(clock, waitQueue),
      modelSwitches: createModelSwitches(clock),
      dailyLimit: createDailyLimit(db, clock),
      start: () => async () => {},
    };
  const { units, borrowed } = createSharedUnits(clock, waitQueue, { replicas, lender: createUnitsLender(db) });
  const modelSwitches = createSharedModelSwitches(replicas, createModelSwitchTable(db));
  const dailyLimit = createSharedDailyLimit(replicas, createDailyRequests(db));
  return { units, modelSwitches, dailyLimit, start: () => startTicks([borrowed, modelSwitches, dailyLimit]) };
}

function startTicks(limits: readonly SharedLimit[]): () => Promise<void> {
  const timer = setInterval(() => {
    for (const { tick } of limits) tick();
  }, TICK_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(limits.map(({ stop }) => stop()));
  };
}
