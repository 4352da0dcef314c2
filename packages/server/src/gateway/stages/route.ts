import type { Clock } from "../../platform/core/clock.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import type { FindOwnKeys } from "../backends/own-keys.ts";
import type { Backend, BackendRegistry } from "../backends/registry.ts";
import { nowOf, type ResolvedCall } from "../call.ts";
import { hasNextModel } from "../fallbacks.ts";
import type { ProviderPreferences } from "../formats/parsed-request.ts";
import type { Waiter, WaitQueue } from "../limits/wait-queue.ts";
import type { ColdCall, Loading, ModelHost } from "../model-host.ts";
import { modelLoading, readModelWaitMs } from "../model-loading.ts";
import { preferHeld } from "../prefixes/prefer-held.ts";
import { toPromptBlocks } from "../prefixes/prompt-blocks.ts";
import { filterStrictBackends } from "../upstream/parameters.ts";
import { applyPreferences } from "./preferences.ts";
import { isHere, type MayCallElsewhere, onlyElsewhere } from "./stay-here.ts";
import { hasKeyFor, keepUsable, ownKeyRequired, putOwnKeysFirst, type UsableBackends } from "./usable-backends.ts";

/** How often it is asked whether a model that is waited for can still be loaded, in milliseconds. */
const PROBLEM_CHECK_MS = 1_000;

/** Those of a caller that leaves to the server where the call is answered. */
const NO_PREFERENCES: ProviderPreferences = {};

type Deps = {
  registry: BackendRegistry;
  modelHost: ModelHost;
  /** Counts the calls that wait for a model. */
  waitQueue: WaitQueue;
  clock: Clock;
  coldStatus: 400 | 503;
  /** The default time that a call waits for a cold model, in milliseconds. */
  coldWaitMs: number;
  mayCallElsewhere: MayCallElsewhere;
  findOwnKeys: FindOwnKeys;
};
/**
 * `waitMs` is the time that the caller wants to wait for the model; null without one. `cold` has the caller and the model.
 */
type RouteRequest = Waiter & { modelKey: string; waitMs: number | null; signal: AbortSignal; cold?: ColdCall };

type Wait = {
  /** Whether the call may go to a backend. */
  isUsable(backend: Backend): boolean;
  modelKey: string;
  waitMs: number;
  signal: AbortSignal;
  cold?: ColdCall;
};

/**
 * Creates the stage that returns the backends that run a model, and to which calls of the organization may go. Without one, it
 * starts loading the model and waits: for `waitMs`, or without it for `coldWaitMs`, if the model may be ready by then. Throws
 * `model_loading`, `capacity_exhausted`, `model_only_elsewhere` or `own_key_required`.
 */
export function createRouteStage({ registry, modelHost, waitQueue, clock, coldStatus, coldWaitMs, ...deps }: Deps) {
  const { mayCallElsewhere, findOwnKeys } = deps;
  const listUsable = (modelKey: string, organizationId: string) =>
    keepUsable(registry.candidates(modelKey), organizationId, deps);

  async function loadModel({
    modelKey,
    waitMs: wantedMs,
    signal,
    cold,
    ...waiter
  }: RouteRequest): Promise<UsableBackends> {
    const { organizationId } = waiter;
    const [mayLeave, ownKeys] = await Promise.all([mayCallElsewhere(organizationId), findOwnKeys(organizationId)]);
    const isPermitted = (backend: Backend) => mayLeave || isHere(backend);
    const isUsable = (backend: Backend) => isPermitted(backend) && hasKeyFor(backend, ownKeys);
    const unlessUnusable = (error: AppError) => {
      const running = registry.candidates(modelKey);
      if (running.length === 0 || running.some(isUsable)) return error;
      const permitted = running.filter(isPermitted);
      const modelId = modelIdOf(modelKey);
      return permitted.length === 0
        ? onlyElsewhere(modelId, cold?.actor)
        : ownKeyRequired(modelId, permitted, cold?.actor);
    };
    const loading = await modelHost.wake(modelKey, cold);
    const refuseUnloadable = () => {
      const problem = modelHost.loadingProblem?.(modelKey) ?? null;
      if (problem !== null) throw unlessUnusable(loadingImpossible(modelIdOf(modelKey), problem));
    };
    refuseUnloadable();
    if (loading === null) throw unlessUnusable(noBackend(modelIdOf(modelKey), cold?.actor.isAdmin === true));
    const waitMs = wantedMs ?? (isReadyWithin(loading, coldWaitMs, clock.now()) ? coldWaitMs : 0);
    if (waitMs > 0) {
      const leaveQueue = waitQueue.enter(waiter);
      await waitUntilServed({ modelKey, waitMs, signal, isUsable, ...(cold && { cold }) }).finally(leaveQueue);
      const loaded = await listUsable(modelKey, organizationId);
      if (loaded.backends.length > 0) return loaded;
    }
    refuseUnloadable();
    const now = (await modelHost.wake(modelKey, cold)) ?? loading;
    refuseUnloadable();
    throw modelLoading(modelIdOf(modelKey), now, { now: clock.now(), status: coldStatus, waitedMs: waitMs });
  }

  /** Waits until a backend runs the model, the time is over, or the model turns out to be unloadable. */
  async function waitUntilServed({ modelKey, waitMs, signal, isUsable, cold }: Wait): Promise<void> {
    const stopping = new AbortController();
    const timer = setInterval(() => void stopIfUnloadable(), PROBLEM_CHECK_MS);
    async function stopIfUnloadable() {
      await modelHost.state(modelKey, cold).catch(() => null);
      if ((modelHost.loadingProblem?.(modelKey) ?? null) !== null) stopping.abort();
    }
    await registry
      .waitUntilServed(modelKey, waitMs, AbortSignal.any([signal, stopping.signal]), isUsable)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted || signal.aborted) throw error;
      })
      .finally(() => clearInterval(timer));
  }

  return (request: RouteRequest): UsableBackends | Promise<UsableBackends> => {
    const chooseOrLoad = (usable: UsableBackends) => (usable.backends.length > 0 ? usable : loadModel(request));
    const usable = listUsable(request.modelKey, request.organizationId);
    return usable instanceof Promise ? usable.then(chooseOrLoad) : chooseOrLoad(usable);
  };
}

/** Returns whether a model may be ready within this time: its estimate is not later, or there is none. */
function isReadyWithin({ readyAt }: Loading, milliseconds: number, now: Date): boolean {
  return readyAt === null || readyAt.getTime() - now.getTime() <= milliseconds;
}

export type RouteStage = ReturnType<typeof createRouteStage>;

/**
 * Returns the backends for a call to the model with this key that the caller's preferences allow, in their order or in that of
 * the operator, and waits for one as long as `x-wait-for-model` says, unless there is another model to try. With
 * `x-strict-params: 1`, only backends that accept all of the call's parameters are returned.
 */
export function routeCall(route: RouteStage, call: ResolvedCall, modelKey: string): Routed | Promise<Routed> {
  const { actor, exchange, model, signal } = call;
  const waitMs = hasNextModel(call) ? 0 : readModelWaitMs(exchange);
  const { organizationId } = actor;
  const routed = route({ modelKey, organizationId, bytes: exchange.bodyBytes, waitMs, signal, cold: { actor, model } });
  return routed instanceof Promise
    ? routed.then((usable) => chooseBackends(call, modelKey, usable))
    : chooseBackends(call, modelKey, routed);
}

/** The backends of a call, best first, the own keys of its organization, and its prompt if there are several backends. */
type Routed = Pick<ResolvedCall, "backends" | "ownKeys" | "prompt">;

function chooseBackends(call: ResolvedCall, modelKey: string, { backends: running, ownKeys }: UsableBackends): Routed {
  const prompt = running.length > 1 ? toPromptBlocks(call, modelKey) : null;
  const held = prompt === null ? running : preferHeld(running, prompt, nowOf(call));
  const first = putOwnKeysFirst({ backends: held, ownKeys }, nowOf(call));
  const { preferences = NO_PREFERENCES, order = "balanced" } = call;
  const isOrdered = preferences !== NO_PREFERENCES || order !== "balanced";
  const backends = isOrdered ? applyPreferences(first, call, { preferences, order, nowMs: nowOf(call) }) : first;
  const isStrict = call.exchange.headers["x-strict-params"] === "1";
  return { backends: isStrict ? filterStrictBackends({ ...call, backends }) : backends, ownKeys, prompt };
}

function loadingImpossible(modelId: string, problem: string): AppError {
  return errors.capacityExhausted(`${modelId} cannot be loaded on this server: ${problem}`, {
    param: "model",
    retry: false,
    retryAfterSeconds: 60,
    details: { tier: "offline" },
  });
}

/** Returns the error for a model that no backend runs. It says what admins can do, and others whom to ask. */
export function noBackend(modelId: string, isAdmin: boolean): AppError {
  const advice = isAdmin
    ? `Download it with \`feather run ${modelId}\`, or add a backend that has it under Admin > Backends.`
    : `Request it on its page or with \`feather models request ${modelId}\`; the admins of this server see that.`;
  return errors.capacityExhausted(`No backend that runs ${modelId} is reachable just now. ${advice}`, {
    param: "model",
    retry: false,
    retryAfterSeconds: 30,
    details: { tier: "offline" },
  });
}
