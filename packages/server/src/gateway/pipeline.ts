import type { FastifyReply } from "fastify";
import type { CallableModels } from "../modules/catalogue/callable-models.ts";
import type { CurrentPlan } from "../modules/plans/plans.repository.ts";
import { AppError, invalidRequest } from "../shared/errors.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { Call, Outcome, ResolvedCall } from "./call.ts";
import type { RemoteMedia } from "./formats/media-address.ts";
import { strictBackends } from "./parameters.ts";
import { admitKey, admitPlan } from "./stages/admit.ts";
import { type CreditsStage, type Metering, withCost } from "./stages/credits.ts";
import type { DailyLimit } from "./stages/daily-limit.ts";
import type { Timeouts } from "./stages/dispatch.ts";
import { answerEmbedding } from "./stages/embed.ts";
import { admitModalities } from "./stages/modalities.ts";
import { prepareBody, refuseWhatDoesNotFit } from "./stages/prepare.ts";
import type { Serving } from "./stages/serving.ts";
import { usageRow } from "./stages/settle.ts";
import { answerStream } from "./stages/stream.ts";
import type { ModelSwitches } from "./stages/switches.ts";
import { answerWhole } from "./stages/whole.ts";
import { answersOf, promptsOf } from "./token-estimates.ts";
import type { Lease, Units } from "./units.ts";
import type { UsageWriter } from "./usage-writer.ts";

export type PipelineDeps = {
  models: CallableModels;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  unitsOf(plan: CurrentPlan): number | null;
  registry: BackendRegistry;
  serving: Serving;
  units: Units;
  /** Notes that an organization was refused for want of units. */
  refused(organizationId: string): void;
  switches: ModelSwitches;
  daily: DailyLimit;
  credits: CreditsStage;
  usage: UsageWriter;
  timeouts: Timeouts;
  /** Which addresses of media go on to backends. */
  remoteMedia: RemoteMedia;
};

/**
 * A request to a model, stage by stage:
 *
 *  1. parse     the contract has checked the body; who calls is known           (before this function)
 *  2. resolve   model, class and plan; the body as the model takes it           adds `model`, `plan`, `cost`
 *  3. admit     the key's lists, the plan's size, what the model can take       refuses
 *  4. count     the requests of the day                                         refuses
 *  5. serve     the backends that run the model; a cold one is woken            adds `backends`, or refuses
 *     reserve   the units of the class, at once or after a wait                 holds a lease
 *               then what is counted: models a minute,
 *               and on metered plans what the call may cost                     sets credits aside
 *  6. answer    from the best backend; from the next one until the first byte   gives an outcome
 *  7. settle    the lease is given back and one usage row is written            always, exactly once
 */
export function createPipeline(deps: PipelineDeps) {
  const { registry, units, usage, timeouts } = deps;

  async function resolve(call: Call): Promise<ResolvedCall> {
    const { organizationId } = call.actor;
    const [model, plan] = await Promise.all([
      deps.models.find(call.body.model, organizationId),
      deps.currentPlan(organizationId),
    ]);
    const { body, dropped } = prepareBody(call, { model, plan, remoteMedia: deps.remoteMedia });
    return {
      ...call,
      body,
      ignored: [...call.ignored, ...dropped],
      model,
      plan,
      cost: model.cost * answersOf(body),
      queuedMs: 0,
      backends: [],
    };
  }

  function admit({ actor, body, model, plan }: ResolvedCall): void {
    admitKey(actor, model);
    admitPlan(plan, model);
    admitModalities(body, model);
    refuseWhatDoesNotFit(body, model, plan);
  }

  async function serve({ actor, body, bytes, kind, ignored, model, request, signal }: ResolvedCall) {
    const waitMs = Number(request.headers["x-wait-for-model"] ?? 0) * 1000;
    const { organizationId } = actor;
    const backends = await deps.serving({ modelKey: model.key, organizationId, bytes, waitMs, signal });
    return request.headers["x-strict-params"] === "1" ? strictBackends({ backends, kind, body, ignored }) : backends;
  }

  function reserve(call: ResolvedCall): Promise<Lease> {
    const { credential, organizationId } = call.actor;
    const share = credential.type === "key" ? credential.limits.maxConcurrency : null;
    const key = credential.type === "key" && share !== null ? { id: credential.id, limit: share } : null;
    const wait = Number(call.request.headers["x-queue-timeout"] ?? 0) * 1000;
    const { id, cost, bytes, model } = call;
    const limit = deps.unitsOf(call.plan);
    refuseTooManyAnswers(call, Math.min(limit ?? Number.POSITIVE_INFINITY, share ?? Number.POSITIVE_INFINITY));
    return units.acquire({ id, organizationId, model: model.id, bytes, cost, limit, key }, wait, call.signal).then(
      (lease) => {
        call.reply.header("x-concurrency-cost", cost).header("x-concurrency-used", lease.used);
        if (limit !== null) call.reply.header("x-concurrency-limit", limit);
        return lease;
      },
      (error: unknown) => {
        if (error instanceof AppError && error.code === "concurrency_limit_exceeded") deps.refused(organizationId);
        throw error;
      },
    );
  }

  /** Counts the call against what is limited by models a minute and by money. A refusal counts as nothing. */
  async function spend(call: ResolvedCall): Promise<Metering | null> {
    const { organizationId } = call.actor;
    const { plan } = call.plan;
    const undoSwitch = deps.switches.spend(organizationId, call.model.key, plan.model_switches_per_minute);
    try {
      return await deps.credits.reserve(call);
    } catch (error) {
      undoSwitch();
      throw error;
    }
  }

  /**
   * Gets the call its backends, units and credits. The day is counted before any wait: a refusal counts as nothing, but
   * whoever leaves while waiting has made a request.
   */
  async function takeTurn(call: ResolvedCall): Promise<{ lease: Lease; metering: Metering | null }> {
    const undoDaily = await deps.daily.spend(call.actor.organizationId, call.plan.plan.daily_request_limit);
    let lease: Lease | null = null;
    try {
      call.backends = await serve(call);
      lease = await reserve(call);
      call.queuedMs = Math.ceil(call.elapsed());
      return { lease, metering: await spend(call) };
    } catch (error) {
      lease?.release();
      if (!call.signal.aborted) undoDaily();
      throw error;
    }
  }

  async function answer(call: ResolvedCall, metering: Metering | null): Promise<FastifyReply> {
    const settle = (outcome: Outcome) => usage.add(withCost(usageRow(call, outcome), metering));
    try {
      settle(await answerAs(call)(call, registry, timeouts));
      return call.reply;
    } catch (error) {
      settle(failure(error, call));
      throw error;
    }
  }

  return async (call: Call): Promise<FastifyReply> => {
    try {
      const resolved = await resolve(call);
      admit(resolved);
      const { lease, metering } = await takeTurn(resolved);
      try {
        return await answer(resolved, metering);
      } finally {
        lease.release();
      }
    } catch (error) {
      if (!call.signal.aborted) throw error;
      if (call.signal.reason instanceof AppError) throw call.signal.reason;
      return call.reply.hijack(); // nobody is there to be told
    }
  };
}

export type Pipeline = ReturnType<typeof createPipeline>;

export function answerAs({ kind, body }: ResolvedCall) {
  if (kind === "embedding") return answerEmbedding;
  return body.stream ? answerStream : answerWhole;
}

export function failure(error: unknown, { signal }: Call): Outcome {
  const none = { backend: null, firstByteMs: null, usage: null, deltas: 0 };
  const cause = signal.aborted ? signal.reason : error;
  if (signal.aborted && !(cause instanceof AppError))
    return { ...none, outcome: "aborted", status: 499, errorCode: "client_closed" };
  const { status, code } = cause instanceof AppError ? cause : { status: 500, code: "internal_error" };
  return { ...none, outcome: signal.aborted ? "interrupted" : "failed", status, errorCode: code };
}

/** Prompts of one request, and several answers to one, are calls side by side: each holds the units of one. */
function refuseTooManyAnswers({ body, cost, model }: ResolvedCall, most: number): void {
  if (cost <= most || model.cost > most) return;
  const answers = Math.floor(most / model.cost);
  const [what, param] = promptsOf(body) > 1 ? ["prompt", "prompt"] : ["answer", "n"];
  throw invalidRequest(
    `Each ${what} holds ${model.cost} of your ${most} units: ask for at most ${answers} at once (plan limit: ${most}).`,
    { param, details: { limit: most, cost, answers } },
  );
}
