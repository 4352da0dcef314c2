import { createAutoTopUpHandlers } from "./auto-top-up-handlers.ts";
import { createAutoTopUpJob } from "./auto-top-ups.jobs.ts";
import { createAutoTopUpsRepository } from "./auto-top-ups.repository.ts";
import { createAutoTopUps } from "./auto-top-ups.usecases.ts";
import { createTopUp, createTopUpHandlers } from "./top-ups.ts";

type Needs<Create extends (deps: never) => unknown> = Parameters<Create>[0];
type Deps = Omit<
  Needs<typeof createTopUp> &
    Needs<typeof createTopUpHandlers> &
    Needs<typeof createAutoTopUpJob> &
    Needs<typeof createAutoTopUps>,
  "autoTopUpsRepository" | "autoTopUpHandlers"
>;

/** Wires the purchase of credits, by buyers and automatically. */
export function createTopUps(deps: Deps) {
  const shared = { ...deps, autoTopUpsRepository: createAutoTopUpsRepository(deps.db) };
  const autoTopUpHandlers = createAutoTopUpHandlers(shared);
  deps.payments.subscribe("top_up", createTopUpHandlers({ ...shared, autoTopUpHandlers }));
  return {
    topUp: createTopUp(shared),
    autoTopUps: createAutoTopUps(shared),
    autoTopUpJob: createAutoTopUpJob(shared),
  };
}
