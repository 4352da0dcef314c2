import type { SignedInActor } from "../core/auth/actor.ts";
import type { Clock } from "../core/clock.ts";
import { errors } from "../core/errors/index.ts";
import type { Handlers } from "../core/http/handlers.ts";
import { startEventStream } from "./downstream/event-stream.ts";
import { unitsOf } from "./limits/unit-requests.ts";
import type { Units } from "./limits/units.ts";
import type { CallerPlan } from "./ports.ts";
import { mayStop, type RunningCall, type RunningCalls } from "./running-calls.ts";

type Deps = {
  units: Units;
  running: RunningCalls;
  clock: Clock;
  currentPlan(organizationId: string): Promise<CallerPlan>;
};

const SNAPSHOT_INTERVAL_MS = 2_000;
/** An answer that has run for less time says nothing about its rate. */
const MIN_RATE_MS = 200;

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
      const call = deps.running.find(path.id);
      if (call === undefined || !mayStop(actor, call)) throw errors.concurrency.notFound();
      call.abort.abort(errors.requestStopped());
      return undefined;
    },
  };
}

async function readConcurrency({ units, running, clock, currentPlan }: Deps, actor: SignedInActor) {
  const limit = unitsOf(await currentPlan(actor.organizationId));
  const { used, requests } = await units.snapshot(actor.organizationId);
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
      ...toProgressFields(actor, running.find(id)),
    })),
  };
}

function toProgressFields(actor: SignedInActor, call: RunningCall | undefined) {
  if (call === undefined) return { output_tokens: null, tokens_per_second: null, is_own: false };
  return { ...measureOutput(call.call), is_own: mayStop(actor, call) };
}

/** Returns the tokens of an answer so far, and those of a second since the first one. */
function measureOutput({ progress: { state, firstByteMs }, elapsedMs }: RunningCall["call"]) {
  if (state === null || firstByteMs === null) return { output_tokens: null, tokens_per_second: null };
  const tokens = state.usage?.completion ?? state.deltas;
  const milliseconds = elapsedMs() - firstByteMs;
  const rate = milliseconds < MIN_RATE_MS ? null : Math.round((tokens / milliseconds) * 10_000) / 10;
  return { output_tokens: tokens, tokens_per_second: rate };
}
