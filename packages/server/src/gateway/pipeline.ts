import type { FastifyReply } from "fastify";
import { AppError, errors, hasCode } from "../core/errors/index.ts";
import type { Backend, BackendRegistry } from "./backends/registry.ts";
import type { Call, Outcome, ResolvedCall } from "./call.ts";
import type { RemoteMedia } from "./formats/media-address.ts";
import { filterStrictBackends } from "./parameters.ts";
import type { CallerPlan, ModelLookup } from "./ports.ts";
import { admitKey, admitPlan } from "./stages/admit.ts";
import { answerBuffered } from "./stages/buffered.ts";
import { type CreditsStage, type Metering, withCost } from "./stages/credits.ts";
import type { DailyLimit } from "./stages/daily-limit.ts";
import type { Timeouts } from "./stages/dispatch.ts";
import { answerEmbedding } from "./stages/embed.ts";
import { admitModalities } from "./stages/modalities.ts";
import type { ModelSwitches } from "./stages/model-switches.ts";
import { prepareBody, refuseOversizedPrompt } from "./stages/prepare.ts";
import type { RouteStage } from "./stages/route.ts";
import { toUsageRow } from "./stages/settle.ts";
import { answerStream } from "./stages/stream.ts";
import { countAnswers, countPrompts } from "./token-estimates.ts";
import { type Lease, type Units, unitsOf } from "./units.ts";
import type { UsageWriter } from "./usage-writer.ts";

/** Dependencies of the pipeline. */
export type PipelineDeps = {
  models: ModelLookup;
  currentPlan(organizationId: string): Promise<CallerPlan>;
  registry: BackendRegistry;
  route: RouteStage;
  units: Units;
  /** Called when an organization was refused because its units are in use. */
  onRefused(organizationId: string): void;
  modelSwitches: ModelSwitches;
  dailyLimit: DailyLimit;
  credits: CreditsStage;
  usage: UsageWriter;
  timeouts: Timeouts;
  /** Which media addresses are passed on to backends. */
  remoteMedia: RemoteMedia;
};

/**
 * A request to a model, stage by stage:
 *
 *  1. parse     validates the body, authenticates the caller                    (before this function)
 *  2. resolve   model, class and plan; the body as the model accepts it         adds `model`, `plan`, `cost`
 *  3. admit     key limits, plan limits, modalities, context length             refuses
 *  4. count     the daily request limit                                         refuses
 *  5. route     the backends that run the model; loads a cold one               adds `backends`, or refuses
 *     reserve   units of the model's class, at once or after a wait             holds a lease
 *     meter     model switches per minute; credits on metered plans             reserves credits
 *  6. answer    from the best backend; before the first byte, from the next     returns an outcome
 *  7. settle    releases the lease and writes one usage row                     always, exactly once
 */
export function createPipeline(deps: PipelineDeps) {
  return async (call: Call): Promise<FastifyReply> => {
    try {
      const resolved = await resolveCall(deps, call);
      admitCall(resolved);
      const { lease, metering } = await acquireResources(deps, resolved);
      try {
        return await answerCall(deps, resolved, metering);
      } finally {
        lease.release();
      }
    } catch (error) {
      if (!call.signal.aborted) throw error;
      if (call.signal.reason instanceof AppError) throw call.signal.reason;
      return call.reply.hijack(); // the caller has disconnected: send nothing
    }
  };
}

export type Pipeline = ReturnType<typeof createPipeline>;

async function resolveCall(deps: PipelineDeps, call: Call): Promise<ResolvedCall> {
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
    cost: model.cost * countAnswers(body),
    queuedMs: 0,
    backends: [],
  };
}

function admitCall({ actor, body, model, plan }: ResolvedCall): void {
  admitKey(actor, model);
  admitPlan(plan, model);
  admitModalities(body, model);
  refuseOversizedPrompt(body, model, plan);
}

async function routeCall(deps: PipelineDeps, call: ResolvedCall): Promise<Backend[]> {
  const { actor, body, bytes, kind, ignored, model, request, signal } = call;
  const waitMs = Number(request.headers["x-wait-for-model"] ?? 0) * 1000;
  const { organizationId } = actor;
  const backends = await deps.route({ modelKey: model.key, organizationId, bytes, waitMs, signal });
  return request.headers["x-strict-params"] === "1"
    ? filterStrictBackends({ backends, kind, body, ignored })
    : backends;
}

function reserveUnits(deps: PipelineDeps, call: ResolvedCall): Promise<Lease> {
  const { credential, organizationId } = call.actor;
  const keyLimit = credential.type === "key" ? credential.limits.maxConcurrency : null;
  const key = credential.type === "key" && keyLimit !== null ? { id: credential.id, limit: keyLimit } : null;
  const waitMs = Number(call.request.headers["x-queue-timeout"] ?? 0) * 1000;
  const { id, cost, bytes, model } = call;
  const limit = unitsOf(call.plan);
  refuseTooManyAnswers(call, Math.min(limit ?? Number.POSITIVE_INFINITY, keyLimit ?? Number.POSITIVE_INFINITY));
  const unitRequest = { id, organizationId, model: model.id, bytes, cost, limit, key };
  return deps.units.acquire(unitRequest, waitMs, call.signal).then(
    (lease) => {
      call.reply.header("x-concurrency-cost", cost).header("x-concurrency-used", lease.used);
      if (limit !== null) call.reply.header("x-concurrency-limit", limit);
      return lease;
    },
    (error: unknown) => {
      if (hasCode(error, "concurrency_limit_exceeded")) deps.onRefused(organizationId);
      throw error;
    },
  );
}

/** Consumes the limit on model switches and reserves credits. On a refusal nothing is consumed. */
async function consumeLimits(deps: PipelineDeps, call: ResolvedCall): Promise<Metering | null> {
  const { organizationId } = call.actor;
  const { plan } = call.plan;
  const refundSwitch = deps.modelSwitches.consume(organizationId, call.model.key, plan.model_switches_per_minute);
  try {
    return await deps.credits.reserve(call);
  } catch (error) {
    refundSwitch();
    throw error;
  }
}

/**
 * Gets backends, units and credits for the call. The daily limit is consumed first, before any wait: a refused call
 * is refunded, but a caller who disconnects while waiting has made a request.
 */
async function acquireResources(
  deps: PipelineDeps,
  call: ResolvedCall,
): Promise<{ lease: Lease; metering: Metering | null }> {
  const refundRequest = await deps.dailyLimit.consume(call.actor.organizationId, call.plan.plan.daily_request_limit);
  let lease: Lease | null = null;
  try {
    call.backends = await routeCall(deps, call);
    lease = await reserveUnits(deps, call);
    call.queuedMs = Math.ceil(call.elapsedMs());
    return { lease, metering: await consumeLimits(deps, call) };
  } catch (error) {
    lease?.release();
    if (!call.signal.aborted) refundRequest();
    throw error;
  }
}

async function answerCall(
  { registry, usage, timeouts }: PipelineDeps,
  call: ResolvedCall,
  metering: Metering | null,
): Promise<FastifyReply> {
  const settle = (outcome: Outcome) => usage.add(withCost(toUsageRow(call, outcome), metering));
  try {
    settle(await selectAnswerStage(call)(call, registry, timeouts));
    return call.reply;
  } catch (error) {
    settle(toFailedOutcome(error, call));
    throw error;
  }
}

/** Returns the stage that answers a call: embedding, streamed or buffered. */
export function selectAnswerStage({ kind, body }: ResolvedCall) {
  if (kind === "embedding") return answerEmbedding;
  return body.stream ? answerStream : answerBuffered;
}

/** The outcome of a call that ended with an error or was aborted. */
export function toFailedOutcome(error: unknown, { signal }: Call): Outcome {
  const noResult = { backend: null, firstByteMs: null, usage: null, deltas: 0 };
  const cause = signal.aborted ? signal.reason : error;
  if (signal.aborted && !(cause instanceof AppError))
    return { ...noResult, outcome: "aborted", status: 499, errorCode: "client_closed" };
  const { status, code } = cause instanceof AppError ? cause : { status: 500, code: "internal_error" };
  return { ...noResult, outcome: signal.aborted ? "interrupted" : "failed", status, errorCode: code };
}

/**
 * Throws `invalid_request` when one answer would fit the limit, but not all the answers that were requested: each holds
 * the units of one call.
 */
function refuseTooManyAnswers({ body, cost, model }: ResolvedCall, maxUnits: number): void {
  if (cost <= maxUnits || model.cost > maxUnits) return;
  const answers = Math.floor(maxUnits / model.cost);
  const [noun, param] = countPrompts(body) > 1 ? ["prompt", "prompt"] : ["answer", "n"];
  throw errors.invalidRequest(
    `Each ${noun} holds ${model.cost} of your ${maxUnits} units: ask for at most ${answers} at once (plan limit: ${maxUnits}).`,
    { param, details: { limit: maxUnits, cost, answers } },
  );
}
