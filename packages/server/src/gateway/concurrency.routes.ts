import type { Clock } from "../core/clock.ts";
import type { Handlers } from "../core/http/handlers.ts";
import { startEventStream } from "./downstream/event-stream.ts";
import { type Units, unitsOf } from "./limits/units.ts";
import type { CallerPlan } from "./ports.ts";

type Deps = {
  units: Units;
  clock: Clock;
  currentPlan(organizationId: string): Promise<CallerPlan>;
};

const SNAPSHOT_INTERVAL_MS = 2_000;

/** Handlers that return the units in use, once or as an event stream of snapshots. */
export function concurrencyRoutes({ units, clock, currentPlan }: Deps): Handlers {
  async function readConcurrency(organizationId: string) {
    const limit = unitsOf(await currentPlan(organizationId));
    const { used, requests } = await units.snapshot(organizationId);
    const now = clock.now().getTime();
    return {
      limit,
      used_cost: used,
      request_count: requests.length,
      requests: requests.map(({ id, cost, model, startedAt }) => ({
        id,
        cost,
        model,
        started_at: startedAt.getTime(),
        duration_ms: now - startedAt.getTime(),
      })),
    };
  }

  return {
    "concurrency.get": ({ actor }) => readConcurrency(actor.organizationId),
    "concurrency.stream": async ({ actor, request, reply }) => {
      const { organizationId } = actor;
      const firstSnapshot = await readConcurrency(organizationId);
      const raw = startEventStream(reply);
      raw.write(`data: ${JSON.stringify(firstSnapshot)}\n\n`);
      const timer = setInterval(() => {
        if (raw.writableNeedDrain) return; // a slow reader skips this snapshot
        request
          .recheck()
          .then(() => readConcurrency(organizationId))
          .then(
            (snapshot) => raw.write(`data: ${JSON.stringify(snapshot)}\n\n`),
            () => raw.end(),
          );
      }, SNAPSHOT_INTERVAL_MS);
      raw.on("close", () => clearInterval(timer));
      return reply;
    },
  };
}
