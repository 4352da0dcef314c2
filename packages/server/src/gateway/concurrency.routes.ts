import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Handlers } from "../platform/core/http/handlers.ts";
import { startEventStream } from "./caller-streams/event-stream.ts";
import { unitsOf } from "./limits/unit-requests.ts";
import type { CallerPlan } from "./ports.ts";
import type { LiveCalls } from "./running-calls/live-calls.ts";
import { toStopper } from "./running-calls/running-calls.ts";

type Deps = {
  liveCalls: LiveCalls;
  currentPlan(organizationId: string): Promise<CallerPlan>;
};

const SNAPSHOT_INTERVAL_MS = 2_000;

/** Handlers that return the units in use, once or as an event stream of snapshots, and that stop a running request. */
export function concurrencyRoutes(deps: Deps): Handlers {
  return {
    "concurrency.get": ({ actor }) => readConcurrency(deps, actor),
    "concurrency.stream": async ({ actor, request, reply }) => {
      const firstSnapshot = await readConcurrency(deps, actor);
      const raw = startEventStream(reply);
      raw.write(`data: ${JSON.stringify(firstSnapshot)}\n\n`);
      const timer = setInterval(() => {
        if (raw.writableNeedDrain) return; // a slow reader skips this snapshot
        request
          .recheck()
          .then(() => readConcurrency(deps, actor))
          .then(
            (snapshot) => raw.write(`data: ${JSON.stringify(snapshot)}\n\n`),
            () => raw.end(),
          );
      }, SNAPSHOT_INTERVAL_MS);
      raw.on("close", () => clearInterval(timer));
      return reply;
    },
    "concurrency.cancel": async ({ actor, path }) => {
      await deps.liveCalls.stop(path.id, toStopper(actor));
      return undefined;
    },
  };
}

async function readConcurrency({ liveCalls, currentPlan }: Deps, actor: SignedInActor) {
  const limit = unitsOf(await currentPlan(actor.organizationId));
  const { used, requests } = await liveCalls.readSnapshot(actor.organizationId, toStopper(actor));
  return {
    limit,
    used_cost: used,
    request_count: requests.length,
    requests: requests.map(({ id, cost, model, ...call }) => ({
      id,
      cost,
      model,
      started_at: call.startedAt.getTime(),
      duration_ms: call.durationMs,
      output_tokens: call.outputTokens,
      tokens_per_second: call.tokensPerSecond,
      is_own: call.isOwn,
    })),
  };
}
