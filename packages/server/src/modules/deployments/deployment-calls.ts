import type { FastifyReply } from "fastify";
import type { SignedInActor } from "../../core/auth/actor.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors/index.ts";
import { modelIdOf } from "../../core/model-keys.ts";
import {
  type AnswerFormat,
  admitKey,
  admitModalities,
  type BackendRegistry,
  type Call,
  type CallableModel,
  type CallBody,
  type CallKind,
  createChatFormat,
  createTextFormat,
  filterStrictBackends,
  getBodyBytes,
  type Outcome,
  prepareBody,
  type RemoteMedia,
  type ResolvedCall,
  type RouteStage,
  type RunningCalls,
  refuseLargeFields,
  refuseOversizedPrompt,
  selectAnswerStage,
  type Timeouts,
  toFailedOutcome,
  toUsageRow,
  type UsageWriter,
} from "../../gateway/index.ts";
import type { CallableModels } from "../catalogue/index.ts";
import type { CurrentPlan } from "../plans/index.ts";
import { deploymentAtCapacity, deploymentFailed, deploymentPaused } from "./deployments.errors.ts";
import type { DeploymentRow } from "./deployments.repository.ts";
import type { LoadTracker } from "./load-tracker.ts";

type Deps = {
  models: Pick<CallableModels, "findByKey">;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
  /** The registry of replicas, separate from the one that calls below `/v1` use. */
  registry: BackendRegistry;
  /** Finds the replicas, and starts them if none runs. */
  serving: RouteStage;
  load: LoadTracker;
  running: RunningCalls;
  usage: UsageWriter;
  timeouts: Timeouts;
  /** Which URLs of media are passed on to backends. */
  remoteMedia: RemoteMedia;
  clock: Clock;
};

/** The member or key of the organization that calls; null for a caller with the deployment's token. */
type Caller = SignedInActor | null;
/** A call to a deployment whose caller has been authorized. */
export type DeploymentCall = Pick<Call, "request" | "reply"> & {
  deployment: DeploymentRow;
  caller: Caller;
  kind: CallKind;
  body: CallBody;
};

/** Further concurrent calls are rejected, since they would only wait. */
const MAX_CONCURRENT_CALLS = 1_000;
const CLIENT_CLOSED = new Error("The caller has gone.");

/**
 * Returns a function that serves a call to a deployment with the gateway's stages, except those for shared resources:
 * no units, no daily limit and no credits. The call's usage row has the deployment's id as its backend.
 */
export function createDeploymentCalls(deps: Deps) {
  const { registry, load, running, usage, timeouts, clock } = deps;

  async function resolve(call: Call, deployment: DeploymentRow): Promise<ResolvedCall> {
    const { organization_id: organizationId, model_id: modelKey } = deployment;
    const [model, current] = await Promise.all([
      deps.models.findByKey(modelKey, organizationId).catch((error: unknown) => toUnlistedModel(modelKey, error)),
      deps.currentPlan(organizationId),
    ]);
    const plan = { ...current, plan: { ...current.plan, max_context_length: null } };
    const { body, dropped } = prepareBody(call, { model, plan, remoteMedia: deps.remoteMedia });
    return { ...call, body, ignored: [...call.ignored, ...dropped], model, plan, cost: 0, queuedMs: 0, backends: [] };
  }

  async function acquireBackends(call: ResolvedCall, deployment: DeploymentRow) {
    const { request, signal, body, bytes, kind, ignored } = call;
    const { id, name, state, state_reason: reason } = deployment;
    if (deployment.paused) throw deploymentPaused(name);
    const waitMs = Number(request.headers["x-wait-for-model"] ?? 0) * 1000;
    if (registry.candidates(id).length === 0 && state === "failed") throw deploymentFailed(name, reason);
    const { organizationId } = call.actor;
    const backends = await deps.serving({ modelKey: id, organizationId, bytes, waitMs, signal });
    return request.headers["x-strict-params"] === "1"
      ? filterStrictBackends({ backends, kind, body, ignored })
      : backends;
  }

  async function answer(call: ResolvedCall, deployment: DeploymentRow, caller: Caller): Promise<FastifyReply> {
    const settle = (outcome: Outcome) =>
      usage.add({ ...toUsageRow(call, outcome), user_id: caller?.userId ?? null, backend: deployment.id });
    try {
      settle(await selectAnswerStage(call)(call, registry, timeouts));
      return call.reply;
    } catch (error) {
      settle(toFailedOutcome(error, call));
      throw error;
    }
  }

  return async ({ deployment, caller, kind, body, request, reply }: DeploymentCall): Promise<FastifyReply> => {
    const { id } = deployment;
    refuseLargeFields(body);
    if (load.get(id).pending >= MAX_CONCURRENT_CALLS) throw deploymentAtCapacity(MAX_CONCURRENT_CALLS);
    const startedAt = clock.now();
    const startedAtMs = performance.now(); // a monotonic clock, since the time of day may be changed meanwhile
    const abort = running.start(caller);
    reply.raw.on("close", () => abort.abort(CLIENT_CLOSED));
    const endLoad = load.begin(id);
    const call: Call = {
      id: request.id,
      kind,
      body,
      format: formatOf(kind, body, request.id),
      ignored: [],
      actor: caller ?? toTokenActor(deployment),
      request,
      reply,
      bytes: getBodyBytes(request),
      startedAt,
      elapsedMs: () => performance.now() - startedAtMs,
      signal: abort.signal,
    };
    try {
      const resolved = await resolve(call, deployment);
      admitKey(call.actor, resolved.model);
      admitModalities(resolved.body, resolved.model);
      refuseOversizedPrompt(resolved.body, resolved.model, resolved.plan);
      resolved.backends = await acquireBackends(resolved, deployment);
      return await answer(resolved, deployment, caller);
    } catch (error) {
      if (!call.signal.aborted) throw error;
      if (call.signal.reason instanceof AppError) throw call.signal.reason;
      return reply.hijack(); // the client has disconnected
    } finally {
      endLoad();
      running.end(abort);
    }
  };
}

function formatOf(kind: CallKind, body: CallBody, requestId: string): AnswerFormat {
  const wantsUsage = body.stream_options?.include_usage === true;
  return kind === "completion" ? createTextFormat(requestId, wantsUsage) : createChatFormat(requestId, wantsUsage);
}

/** Returns the actor for a call with the deployment's token: it acts for the organization. */
function toTokenActor({ id, organization_id, created_by }: DeploymentRow): SignedInActor {
  return {
    kind: "user",
    userId: created_by ?? "",
    organizationId: organization_id,
    role: "developer",
    isAdmin: false,
    emailVerified: true,
    scopes: [],
    credential: { type: "deployment", id },
  };
}

/** Returns a model without limits if it was removed from the catalogue, since its deployments keep running. */
function toUnlistedModel(key: string, error: unknown): CallableModel {
  if (!(error instanceof AppError) || error.status !== 404) throw error;
  return {
    id: modelIdOf(key),
    key,
    classId: "unknown",
    cost: 0,
    parameterSize: null,
    contextLength: Number.MAX_SAFE_INTEGER,
    maxCompletionTokens: null,
    inputModalities: ["text", "image", "audio", "video", "file"],
    isGated: false,
    planIds: null,
    isDisabled: false,
    organizationId: null,
  };
}
