import type { Logger } from "pino";
import type { BackendRegistry } from "../../../gateway/index.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { toEngineBaseUrl } from "../../../platform/core/peers/engine-address.ts";
import type { PeerClient } from "../../../platform/core/peers/peer-client.ts";
import type { OtherReplica, Replicas } from "../../../platform/core/replicas/replicas.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import { type HostedModel, isRuntimeName, programOf } from "../../runtimes/index.ts";
import { createFitEstimate, type FitEstimate } from "../fit/fit.ts";
import { type Availability, COLD_AVAILABILITY, engineBackendName, type HostedModels } from "../host.ts";
import { type HostedModelState, type HostingState, READ_HOSTING, toRuntimeLimits } from "./hosting-state.ts";

type Deps = {
  replicas: Pick<Replicas, "isLeader" | "leader" | "onLeading" | "bus">;
  peers: Pick<PeerClient, "askLeader">;
  /** The token that this replica sends to the leader's engines. */
  peerToken: string;
  registry: Pick<BackendRegistry, "set" | "remove">;
  clock: Clock;
  log: Pick<Logger, "warn">;
};
type Context = Deps & {
  /** The models that the leader reported last, by key. */
  models: Map<string, HostedModelState>;
  isLoadingPinned: boolean;
  fit: FitEstimate | null;
  /** The time of that report, in milliseconds since 1970. */
  readAt: number;
  /** The addresses of the leader's engines, by the names of their backends here. */
  backends: Map<string, string>;
  /** Resolves when the current request to the leader ends; null if there is none. */
  reading: Promise<void> | null;
  mustReadAgain: boolean;
  hasFailed: boolean;
  timer: NodeJS.Timeout | undefined;
};

/** A replica's copy of what the leader hosts. */
export type LeaderHost = HostedModels & {
  /** Returns the estimate of which models fit on the leader; null before the leader has answered once. */
  fit(): FitEstimate | null;
  /** Reads from the leader until this process leads or stops. Resolves when the first request has ended. */
  follow(): Promise<void>;
  /**
   * Reads from the leader again. Resolves when a request that began after this call has ended; if it failed, the last copy
   * is kept.
   */
  refresh(): Promise<void>;
  stop(): void;
};

const INTERVAL_MS = SECOND_MS;

/**
 * Creates a replica's copy of what the leader hosts. It is read every second, and at once when the leader announces a
 * change. The leader's engines become backends of this process, which relays calls to them.
 */
export function createLeaderHost(deps: Deps): LeaderHost {
  const context: Context = {
    ...deps,
    models: new Map(),
    isLoadingPinned: false,
    fit: null,
    readAt: 0,
    backends: new Map(),
    reading: null,
    mustReadAgain: false,
    hasFailed: false,
    timer: undefined,
  };
  return bind(context, {
    ids: listIds,
    find: findModel,
    availability: readAvailability,
    isLoadingPinned: isLoadingPinnedThere,
    isWarm: ({ models }: Context, id: string) => models.get(id)?.isWarm ?? false,
    isLoaded: ({ models }: Context, id: string) => models.get(id)?.isLoaded ?? false,
    failure: ({ models }: Context, id: string) => models.get(id)?.failure ?? null,
    loadingProblem: ({ models }: Context, id: string) => models.get(id)?.problem ?? null,
    fit: ({ fit }: Context) => fit,
    refresh,
    follow,
    stop: stopFollowing,
  });
}

function listIds({ models }: Context): string[] {
  return [...models.keys()];
}

function findModel({ models }: Context, id: string): HostedModel | null {
  const state = models.get(id);
  return state ? toHostedModel(state) : null;
}

function isLoadingPinnedThere({ isLoadingPinned }: Context): boolean {
  return isLoadingPinned;
}

function readAvailability({ models, readAt }: Context, id: string): Availability | null {
  const availability = models.get(id)?.availability ?? null;
  if (availability === null) return null;
  const { readyInMs, ...known } = availability;
  return { ...known, readyAt: readyInMs === null ? null : new Date(readAt + readyInMs) };
}

/** Reads from the leader until this process leads or stops. Resolves when the first request has ended. */
function follow(context: Context): Promise<void> {
  const { replicas } = context;
  const refreshElsewhere = () => replicas.isLeader() || void refresh(context);
  context.timer = setInterval(refreshElsewhere, INTERVAL_MS);
  replicas.bus.subscribe("hosting", refreshElsewhere);
  replicas.onLeading(() => stopFollowing(context));
  return refresh(context);
}

function stopFollowing(context: Context): void {
  clearInterval(context.timer);
  noteNoLeader(context);
}

/**
 * Reads from the leader again. Resolves when a request that began after this call has ended; if it failed, the last copy is
 * kept.
 */
function refresh(context: Context): Promise<void> {
  context.mustReadAgain = true;
  context.reading ??= readUntilCurrent(context).finally(() => {
    context.reading = null;
  });
  return context.reading;
}

async function readUntilCurrent(context: Context): Promise<void> {
  while (context.mustReadAgain) {
    context.mustReadAgain = false;
    try {
      await readOnce(context);
      context.hasFailed = false;
    } catch (error) {
      if (!context.hasFailed) context.log.warn({ err: error }, "the leader does not say which models it hosts");
      context.hasFailed = true;
    }
  }
}

async function readOnce(context: Context): Promise<void> {
  const { replicas, peers, clock } = context;
  const leader = replicas.leader();
  if (leader === null) return noteNoLeader(context);
  const state = await peers.askLeader(READ_HOSTING, {});
  if (replicas.isLeader() || replicas.leader()?.id !== leader.id) return;
  context.readAt = clock.now().getTime();
  context.models = new Map(state.models.map((entry) => [entry.model.id, entry]));
  context.isLoadingPinned = state.isLoadingPinned;
  const host = { find: (id: string) => findModel(context, id), ids: () => listIds(context) };
  context.fit = createFitEstimate({ ...state.limits, runtimes: toRuntimeLimits(state.limits), host });
  setBackends(context, leader, state);
}

/**
 * Marks all models as not loaded and removes their backends, because there is no leader. The models stay listed, since the
 * next leader has the same ones.
 */
function noteNoLeader(context: Context): void {
  for (const name of [...context.backends.keys()]) removeBackend(context, name);
  const cold = {
    isWarm: false,
    isLoaded: false,
    availability: { ...COLD_AVAILABILITY, reason: null, readyInMs: null },
  };
  context.models = new Map([...context.models].map(([id, state]) => [id, { ...state, ...cold }]));
  context.isLoadingPinned = false;
}

/** Adds a backend for each loaded model of the leader, and removes those of other models. */
function setBackends(context: Context, leader: OtherReplica, { models }: HostingState): void {
  const { backends, registry, peerToken } = context;
  const warm = models.filter(({ isWarm }) => isWarm);
  const names = new Set(warm.map(({ model }) => engineBackendName(model.id)));
  for (const name of [...backends.keys()]) if (!names.has(name)) removeBackend(context, name);
  for (const { model, loadedContextLength = model.contextLength } of warm) {
    const { id } = model;
    const [name, baseUrl] = [engineBackendName(id), toEngineBaseUrl(leader.address, id)];
    if (backends.get(name) === baseUrl) continue;
    backends.set(name, baseUrl);
    const address = { baseUrl, apiKey: peerToken };
    const served = { models: new Map([[id, id]]), contextLengths: new Map([[id, loadedContextLength]]) };
    registry.set({ name, source: "engine", ...address, weight: 1, ...served, program: findProgram(model) });
  }
}

function removeBackend({ backends, registry }: Context, name: string): void {
  backends.delete(name);
  registry.remove(name);
}

/** Returns the name in the gateway of the program that runs a model; `other` if this version does not know it. */
function findProgram({ runtime }: HostedModelState["model"]) {
  return isRuntimeName(runtime) ? programOf({ runtime }) : "other";
}

/** Returns a model of the leader; null if this version does not know its runtime, so that it cannot describe the model. */
function toHostedModel({ model }: HostedModelState): HostedModel | null {
  const { runtime, bytesPerSequence, vocabularyBytes, projectorBytes, revision, ...known } = model;
  if (!isRuntimeName(runtime)) return null;
  return {
    ...known,
    runtime,
    file: known.fileName,
    ...(bytesPerSequence !== undefined && { bytesPerSequence }),
    ...(vocabularyBytes !== undefined && { vocabularyBytes }),
    ...(projectorBytes !== undefined && { projectorBytes }),
    ...(revision !== undefined && { revision }),
  };
}
