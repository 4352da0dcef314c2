import type { Logger } from "pino";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import { toEngineBaseUrl } from "../../core/peers/engine-address.ts";
import type { PeerClient } from "../../core/peers/peer-client.ts";
import type { OtherReplica, Replicas } from "../../core/replicas/replicas.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { BackendRegistry } from "../../gateway/index.ts";
import { createFitEstimate, type FitEstimate } from "./fit.ts";
import { type HostedModelState, type HostingState, READ_HOSTING } from "./hosting-state.ts";
import { type Availability, COLD_AVAILABILITY } from "./load-estimate.ts";
import { engineBackendName } from "./model-host.ts";
import type { HostedModel } from "./slot.ts";

type Deps = {
  replicas: Pick<Replicas, "isLeader" | "leader" | "onLeading" | "bus">;
  peers: Pick<PeerClient, "askLeader">;
  /** The token with which the leader relays to its engines. */
  peerToken: string;
  registry: Pick<BackendRegistry, "set" | "remove">;
  clock: Clock;
  log: Pick<Logger, "warn">;
};
type Context = Deps & {
  /** What the leader said last, by the keys of its models. */
  models: Map<string, HostedModelState>;
  isLoadingPinned: boolean;
  fit: FitEstimate | null;
  /** When it said so, in milliseconds since 1970. */
  readAt: number;
  /** The addresses of the leader's engines, by the names of their backends here. */
  backends: Map<string, string>;
  /** Ends when the leader has been asked; null while it is not. */
  reading: Promise<void> | null;
  mustReadAgain: boolean;
  hasFailed: boolean;
  timer: NodeJS.Timeout | undefined;
};

const INTERVAL_MS = SECOND_MS;

/**
 * What the leader hosts, on a replica that does not lead. It is read every second, and at once when the leader says that it has
 * changed. The leader's engines are backends of this process: it relays to them.
 */
export function createLeaderHosting(deps: Deps) {
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
    /** Which models fit on the leader; null before it has been asked. */
    fit: (current: Context) => current.fit,
    refresh,
    follow,
    stop: stopFollowing,
  });
}

/** What the leader hosts, on another replica. */
export type LeaderHosting = ReturnType<typeof createLeaderHosting>;

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

/** Follows the leader until this process leads or stops. Resolves when the leader has been asked once. */
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

/** Asks the leader. What it hosts at the time of the call is known afterwards, unless it does not answer. */
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
  context.fit = createFitEstimate({ ...state.limits, host });
  setBackends(context, leader, state);
}

/** Keeps the models, which the next leader will have; but none of them runs now. */
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

/** Makes backends of the leader's engines that run. */
function setBackends(context: Context, leader: OtherReplica, { models }: HostingState): void {
  const { backends, registry, peerToken } = context;
  const warm = models.filter(({ isWarm }) => isWarm).map(({ model }) => model);
  const names = new Set(warm.map(({ id }) => engineBackendName(id)));
  for (const name of [...backends.keys()]) if (!names.has(name)) removeBackend(context, name);
  for (const { id, runtime } of warm) {
    const [name, baseUrl] = [engineBackendName(id), toEngineBaseUrl(leader.address, id)];
    if (backends.get(name) === baseUrl) continue;
    backends.set(name, baseUrl);
    const program = runtime === "vllm" ? "vllm" : "engine";
    const address = { baseUrl, apiKey: peerToken };
    registry.set({ name, source: "engine", ...address, weight: 1, models: new Map([[id, id]]), program });
  }
}

function removeBackend({ backends, registry }: Context, name: string): void {
  backends.delete(name);
  registry.remove(name);
}

function toHostedModel({ model }: HostedModelState): HostedModel {
  const { bytesPerSequence, vocabularyBytes, revision, ...known } = model;
  return {
    ...known,
    file: known.fileName,
    ...(bytesPerSequence !== undefined && { bytesPerSequence }),
    ...(vocabularyBytes !== undefined && { vocabularyBytes }),
    ...(revision !== undefined && { revision }),
  };
}
