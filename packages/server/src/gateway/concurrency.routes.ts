import { signedIn } from "../http/actor.ts";
import type { Handlers } from "../http/bind.ts";
import type { CurrentPlan } from "../modules/plans/plans.repository.ts";
import type { Clock } from "../shared/clock.ts";
import { startEventStream } from "./event-stream.ts";
import type { Units } from "./units.ts";

type Deps = {
  units: Units;
  clock: Clock;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  unitsOf(plan: CurrentPlan): number | null;
};

const FRAME_INTERVAL = 2_000;

/** Handlers that return the units in use, once or as an event stream of snapshots. */
export function concurrencyRoutes({ units, clock, currentPlan, unitsOf }: Deps): Handlers {
  async function live(organizationId: string) {
    const limit = unitsOf(await currentPlan(organizationId));
    const { used, requests } = await units.live(organizationId);
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
    "concurrency.get": ({ actor }) => live(signedIn(actor).organizationId),
    "concurrency.stream": async ({ actor, request, reply }) => {
      const { organizationId } = signedIn(actor);
      const first = await live(organizationId);
      const raw = startEventStream(reply);
      raw.write(`data: ${JSON.stringify(first)}\n\n`);
      const timer = setInterval(() => {
        if (raw.writableNeedDrain) return; // a slow reader skips this snapshot
        request
          .recheck()
          .then(() => live(organizationId))
          .then(
            (frame) => raw.write(`data: ${JSON.stringify(frame)}\n\n`),
            () => raw.end(),
          );
      }, FRAME_INTERVAL);
      raw.on("close", () => clearInterval(timer));
      return reply;
    },
  };
}
