import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../http/actor.ts";
import { signedIn } from "../http/actor.ts";
import type { Handlers } from "../http/bind.ts";
import type { CurrentPlan } from "../modules/plans/plans.repository.ts";
import type { Clock } from "../shared/clock.ts";
import type { CallBody, CallKind } from "./call.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Units } from "./units.ts";

type Deps = {
  pipeline: Pipeline;
  units: Units;
  clock: Clock;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  unitsOf(plan: CurrentPlan): number | null;
};

const FRAME_INTERVAL = 2_000;

export function gatewayRoutes({ pipeline, units, clock, currentPlan, unitsOf }: Deps): Handlers {
  async function call(
    kind: CallKind,
    input: { actor: Actor; body: CallBody; request: FastifyRequest; reply: FastifyReply },
  ): Promise<FastifyReply> {
    const { body, request, reply } = input;
    const startedAt = clock.now();
    const abort = new AbortController();
    // `close` also comes after a complete answer; aborting is harmless then.
    reply.raw.on("close", () => abort.abort(new Error("The caller has gone.")));
    return pipeline({
      id: request.id,
      kind,
      body,
      actor: signedIn(input.actor),
      request,
      reply,
      startedAt,
      elapsed: () => clock.now().getTime() - startedAt.getTime(),
      signal: abort.signal,
    });
  }

  async function live(organizationId: string) {
    const limit = unitsOf(await currentPlan(organizationId));
    const { used, requests } = units.live(organizationId);
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
    "chat.completions.create": (input) => call("chat", input),
    "completions.create": (input) => call("completion", input),
    "concurrency.get": ({ actor }) => live(signedIn(actor).organizationId),
    "concurrency.stream": async ({ actor, reply }) => {
      const { organizationId } = signedIn(actor);
      const first = await live(organizationId);
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
      });
      raw.write(`data: ${JSON.stringify(first)}\n\n`);
      const timer = setInterval(() => {
        live(organizationId).then(
          (frame) => raw.write(`data: ${JSON.stringify(frame)}\n\n`),
          () => raw.destroy(),
        );
      }, FRAME_INTERVAL);
      raw.on("close", () => clearInterval(timer));
      return reply;
    },
  };
}
