import type { FastifyReply } from "fastify";
import type { CallableModels } from "../modules/catalogue/callable-models.ts";
import type { CurrentPlan } from "../modules/plans/plans.repository.ts";
import type { Clock } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { Call, Outcome, ResolvedCall } from "./call.ts";
import { admitKey, admitPlan } from "./stages/admit.ts";
import { type CreditsStage, withCost } from "./stages/credits.ts";
import type { DailyLimit } from "./stages/daily-limit.ts";
import { dispatch, notServed, type Timeouts } from "./stages/dispatch.ts";
import { relayAnswer, relayStream } from "./stages/relay.ts";
import { usageRow } from "./stages/settle.ts";
import type { ModelSwitches } from "./stages/switches.ts";
import type { Units } from "./units.ts";
import type { UsageWriter } from "./usage-writer.ts";

export type PipelineDeps = {
  clock: Clock;
  models: CallableModels;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  unitsOf(plan: CurrentPlan): number | null;
  registry: BackendRegistry;
  units: Units;
  /** Notes that an organization was refused for want of units. */
  refused(organizationId: string): void;
  switches: ModelSwitches;
  daily: DailyLimit;
  credits: CreditsStage;
  usage: UsageWriter;
  timeouts: Timeouts;
};

/**
 * A request to a model, stage by stage:
 *
 *  1. parse     the contract has checked the body; who calls is known           (before this function)
 *  2. resolve   model and class from the id, and the backends that run it       adds `model`, `plan`, `backends`
 *  3. admit     the key's lists, the plan's size, switches and daily limit      refuses
 *  4. reserve   the units of the class, at once or after a wait                 holds a lease
 *               on metered plans also what the call may cost                    sets credits aside
 *  5. dispatch  to the best backend; to the next one until the first byte       gives a response
 *  6. relay     the answer, or the stream event by event                        gives an outcome
 *  7. settle    the lease is given back and one usage row is written            always, exactly once
 */
export function createPipeline(deps: PipelineDeps) {
  const { clock, registry, units, usage } = deps;

  async function resolve(call: Call): Promise<ResolvedCall> {
    const { organizationId } = call.actor;
    const [model, plan] = await Promise.all([
      deps.models.find(call.body.model, organizationId),
      deps.currentPlan(organizationId),
    ]);
    return { ...call, model, plan, backends: registry.candidates(model.id) };
  }

  async function admit(call: ResolvedCall): Promise<void> {
    const { model, plan } = call;
    admitKey(call, model);
    admitPlan(plan, model);
    if (call.backends.length === 0) throw notServed(model.id);
    deps.switches.spend(call.actor.organizationId, model.id, plan.plan.model_switches_per_minute);
    await deps.daily.spend(call.actor.organizationId, plan.plan.daily_request_limit);
  }

  function reserve(call: ResolvedCall) {
    const { credential, organizationId } = call.actor;
    const share = credential.type === "key" ? credential.limits.maxConcurrency : null;
    const key = credential.type === "key" && share !== null ? { id: credential.id, limit: share } : null;
    const { id, cost } = call.model;
    const wait = Number(call.request.headers["x-queue-timeout"] ?? 0) * 1000;
    const wanted = { id: call.id, organizationId, model: id, cost, limit: deps.unitsOf(call.plan), key };
    return units.acquire(wanted, wait, call.signal).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "concurrency_limit_exceeded") deps.refused(organizationId);
      throw error;
    });
  }

  async function answer(call: ResolvedCall): Promise<Outcome> {
    const dispatched = await dispatch(call, registry, deps.timeouts);
    const { backend } = dispatched;
    try {
      const relayed = call.body.stream ? await relayStream(call, dispatched) : await relayAnswer(call, dispatched);
      if (relayed.outcome === "failed") registry.failed(backend, relayed.errorCode ?? "failed");
      return { ...relayed, backend: backend.name };
    } catch (error) {
      if (!call.signal.aborted) registry.failed(backend, error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      backend.inFlight -= 1;
    }
  }

  return async (call: Call): Promise<FastifyReply> => {
    const resolved = await resolve(call);
    await admit(resolved);
    const lease = await reserve(resolved);
    const metering = await deps.credits.reserve(resolved).catch((error: unknown) => {
      lease.release();
      throw error;
    });
    try {
      const outcome = await answer(resolved);
      usage.add(withCost(usageRow(resolved, outcome, clock.now()), metering));
      return call.reply;
    } catch (error) {
      usage.add(withCost(usageRow(resolved, failure(error, call), clock.now()), metering));
      if (call.signal.aborted) return call.reply.hijack(); // nobody is there to be told
      throw error;
    } finally {
      lease.release();
    }
  };
}

export type Pipeline = ReturnType<typeof createPipeline>;

function failure(error: unknown, { signal }: Call): Outcome {
  const none = { backend: null, firstByteMs: null, usage: null, deltas: 0 };
  if (signal.aborted) return { ...none, outcome: "aborted", status: 499, errorCode: "client_closed" };
  const known = error instanceof AppError ? error : null;
  return { ...none, outcome: "failed", status: known?.status ?? 500, errorCode: known?.code ?? "internal_error" };
}
