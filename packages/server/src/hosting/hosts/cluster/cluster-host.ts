import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { AppError } from "../../../platform/core/errors/index.ts";
import { organizationIdOf } from "../../../platform/core/models/model-keys.ts";
import { SECOND_MS } from "../../../platform/core/time.ts";
import {
  createReconciler,
  type DeploymentLoad,
  type DeploymentProvider,
  type DeploymentSpec,
  type Hardware,
  type Observed,
  type ObservedStatus,
  type ReconciledDeployment,
  type ReconcilerStore,
} from "../../deployments/index.ts";
import type { HostedModel } from "../../runtimes/index.ts";
import {
  type Availability,
  COLD_AVAILABILITY,
  engineBackendName,
  type HostRegistry,
  type LoadedModel,
  type ModelHost,
} from "../host.ts";
import { chooseMachine, type Machine } from "./choose-machine.ts";

type Deps = {
  /** The connection to the cluster. It lists only the deployments of this host. */
  provider: DeploymentProvider;
  hardware: readonly Hardware[];
  registry: HostRegistry;
  /** Seconds without a call after which the pods of a model are stopped. */
  idleSeconds: number;
  /** The maximum number of pods per model. */
  maxPods: number;
  /** Returns whether this process leads the replicas: only the leader changes the cluster. */
  isLeader(): boolean;
  clock: Clock;
  log: Pick<Logger, "error">;
};

/** A registered model, or an unregistered one whose pods are still being removed. */
type Entry = {
  id: string;
  model: HostedModel;
  /** Null if no kind of machine has enough memory for the model. */
  machine: Machine | null;
  status: ObservedStatus;
  /** Whether the cluster was asked which pods already run the model. Until then nothing is changed in the cluster. */
  isAdopted: boolean;
  /**
   * When the model was last called while no pod was ready, or was last seen answering a call. The registry knows the time
   * of the last answer. Null if neither has happened.
   */
  usedAt: Date | null;
  startedAt: Date | null;
  isUnloaded: boolean;
  reloadsAfterUnload: boolean;
  isUnregistered: boolean;
  observed: Observed | null;
};

type Context = Deps & {
  entries: Map<string, Entry>;
  /** How long the last start of each model took, in milliseconds, by the model's key. */
  startDurations: Map<string, number>;
  isComplete: boolean;
  enqueue(id: string): void;
};

/**
 * Prefixes of the ids of deployments that run models of the installation. Ids of deployments that organizations create have
 * other prefixes.
 */
const SHARED_PREFIX = "shared_";
const PRIVATE_PREFIX = "private_";
const ID_HASH_LENGTH = 20;
/**
 * Used in place of an organization's id for models that all organizations share: in labels, and as the folder of a shared
 * cache.
 */
const SHARED_ORGANIZATION = "shared";
const PROVIDER_ID = "kubernetes";
const REGION = "cluster";
/** Calls that one pod answers at the same time before another pod is started. */
const CALLS_PER_POD = 4;
const LONG_AGO = new Date(0);
const DEFAULT_START_MS = 60 * SECOND_MS;
const MIN_REMAINING_MS = SECOND_MS;
const ASLEEP: ObservedStatus = {
  observed_settings_version: 0,
  state: "scaled_to_zero",
  state_reason: null,
  ready_replicas: 0,
  desired_replicas: 0,
  scale_down_since: null,
  last_request_at: null,
};

/** Returns whether a deployment in the cluster runs a model of the installation, shared or private. */
export const isHostedModelId = (id: string) => id.startsWith(SHARED_PREFIX) || id.startsWith(PRIVATE_PREFIX);

/**
 * Returns the id of the deployment that runs a model. It contains a hash of the model's key, because keys have characters
 * that labels may not have.
 */
export function hostedModelId(key: string): string {
  const prefix = organizationIdOf(key) === null ? SHARED_PREFIX : PRIVATE_PREFIX;
  return prefix + createHash("sha256").update(key).digest("hex").slice(0, ID_HASH_LENGTH);
}

/**
 * Runs models as pods of a cluster: shared models, and private ones if pods can download files from this server. Each model
 * is a deployment that no organization has created. It is reconciled like other deployments: it has no pods until it is
 * called, and loses them when it was idle for `idleSeconds`. Pods keep running when the server stops; the next server
 * adopts them.
 */
export function createClusterHost(deps: Deps): ModelHost {
  const { provider, clock, log } = deps;
  const context: Context = {
    ...deps,
    entries: new Map(),
    startDurations: new Map(),
    isComplete: false,
    enqueue: (id) => reconciler.enqueue(id),
  };
  const { entries } = context;
  const reconciler = createReconciler({
    store: createStore(context),
    providers: new Map([[PROVIDER_ID, protectRegistered(context, provider)]]),
    loadOf: (id) => readLoad(context, id),
    updateRoutes: (id, _key, observed) => updatePods(context, id, observed),
    clock,
    log,
  });
  provider.onChange((id) => {
    if (!context.isComplete) return;
    if (deps.isLeader()) reconciler.enqueue(id);
    else void refreshPods(context, id);
  });
  return {
    ...bind(context, {
      register: registerModel,
      unregister: unregisterModel,
      unload: unloadModel,
      reload: reloadModel,
      availability: readAvailability,
      failure: findFailure,
      loadingProblem: findLoadingProblem,
      listLoaded: listLoadedModels,
      find: findModel,
      isLoaded,
      isWarm,
    }),
    wake: async (key) => wakeModel(context, key),
    state: async (key) => readAvailability(context, key),
    completeRegistration() {
      context.isComplete = true;
      for (const id of entries.keys()) reconciler.enqueue(id);
    },
    /** Always false, because the start of the server does not wait for pods. */
    isLoadingPinned: () => false,
    ids: () => [...entries.values()].filter(isRegistered).map(({ model }) => model.id),
    job: {
      name: "reconcile shared models",
      everySeconds: 2,
      run: async () => void (context.isComplete && (await reconciler.run())),
    },
    /** Stops reconciling. The pods keep running for the next server. */
    async stop() {
      reconciler.stop();
      await reconciler.waitUntilIdle();
    },
  };
}

const isRegistered = ({ isUnregistered }: Entry): boolean => !isUnregistered;

function findEntry({ entries }: Context, key: string): Entry | null {
  const entry = entries.get(hostedModelId(key));
  return entry && isRegistered(entry) ? entry : null;
}

function findModel(context: Context, key: string): HostedModel | null {
  return findEntry(context, key)?.model ?? null;
}

/** Registers a model, so that it can be called. Pods that already run it are kept. A pinned model gets pods immediately. */
function registerModel(context: Context, model: HostedModel): void {
  const id = hostedModelId(model.id);
  const machine = chooseMachine(context.hardware, model);
  const existing = context.entries.get(id);
  if (existing) Object.assign(existing, { model, machine, isUnregistered: false });
  else context.entries.set(id, createEntry(id, model, machine));
  if (context.isComplete) context.enqueue(id);
}

function createEntry(id: string, model: HostedModel, machine: Machine | null): Entry {
  return {
    id,
    model,
    machine,
    status: ASLEEP,
    isAdopted: false,
    usedAt: null,
    startedAt: null,
    observed: null,
    isUnloaded: false,
    reloadsAfterUnload: false,
    isUnregistered: false,
  };
}

/** Unregisters a model, so that it can no longer be called, and has its pods and other objects removed from the cluster. */
async function unregisterModel(context: Context, key: string): Promise<void> {
  const entry = findEntry(context, key);
  if (!entry) return;
  entry.isUnregistered = true;
  updatePods(context, entry.id, null);
  context.enqueue(entry.id);
}

/** Stops the pods of a model. The next call starts new ones. */
async function unloadModel(context: Context, key: string): Promise<void> {
  const entry = findEntry(context, key);
  if (!entry) return;
  Object.assign(entry, { isUnloaded: true, reloadsAfterUnload: false });
  context.enqueue(entry.id);
}

/** Stops the pods of a model and starts new ones. Returns false if the model is not registered. */
function reloadModel(context: Context, key: string): boolean {
  const entry = findEntry(context, key);
  if (!entry) return false;
  Object.assign(entry, { isUnloaded: true, reloadsAfterUnload: true });
  context.enqueue(entry.id);
  return true;
}

/** Starts pods for a model if it has none. Returns its availability, or null if it cannot run. */
function wakeModel(context: Context, key: string): Availability | null {
  const entry = findEntry(context, key);
  if (!entry?.machine || findSpecProblem(context, entry) !== null) return null;
  const now = context.clock.now();
  entry.usedAt = now;
  if (entry.isUnloaded) entry.reloadsAfterUnload = true;
  if (entry.startedAt === null && entry.status.ready_replicas === 0) entry.startedAt = now;
  context.enqueue(entry.id);
  return entry.status.state === "failed" ? null : toAvailability(context, entry);
}

/** Returns the availability of a model without a ready pod. Null if it has a ready pod, or cannot run. */
function readAvailability(context: Context, key: string): Availability | null {
  const entry = findEntry(context, key);
  if (!entry?.machine || isWarm(context, key) || entry.status.state === "failed") return null;
  if (findSpecProblem(context, entry) !== null) return null;
  return entry.status.desired_replicas === 0 && entry.startedAt === null
    ? COLD_AVAILABILITY
    : toAvailability(context, entry);
}

function toAvailability({ clock, startDurations }: Context, { model, status, startedAt }: Entry): Availability {
  const now = clock.now().getTime();
  const since = startedAt?.getTime() ?? now;
  const readyAt = Math.max(since + (startDurations.get(model.id) ?? DEFAULT_START_MS), now + MIN_REMAINING_MS);
  // Nobody can predict when the thing that a pod waits for happens.
  const isWaiting = status.state_reason !== null;
  return {
    tier: "loading",
    stage: isWaiting ? "cluster" : "pod",
    progress: null,
    reason: status.state_reason,
    readyAt: isWaiting ? null : new Date(readyAt),
  };
}

/** Returns the reason why the pods of a model fail; null if they do not. */
function findFailure(context: Context, key: string): string | null {
  const status = findEntry(context, key)?.status;
  return status?.state === "failed" ? (status.state_reason ?? "Its pods end.") : null;
}

/** Returns the reason why a model cannot run, or null. */
function findLoadingProblem(context: Context, key: string): string | null {
  const entry = findEntry(context, key);
  if (!entry) return null;
  return findSpecProblem(context, entry) ?? findFailure(context, key);
}

/** Returns the reason why no pod can ever run a model, such as files that pods cannot download. Null if none is known. */
function findSpecProblem({ provider, maxPods }: Context, { model, machine }: Entry): string | null {
  if (machine === null) return "No kind of machine in the cluster has the memory that it needs.";
  try {
    provider.check(toSpec(model, machine), { maxReplicas: maxPods });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Returns whether a model has pods or should have some, and they have not failed. */
function isLoaded(context: Context, key: string): boolean {
  const status = findEntry(context, key)?.status;
  return status !== undefined && status.desired_replicas > 0 && status.state !== "failed";
}

/** Returns whether a ready pod of a model takes calls. */
function isWarm(context: Context, key: string): boolean {
  return listBackends(context, key).length > 0;
}

/** Returns the models that have pods, or whose pods are still to start. */
function listLoadedModels(context: Context): LoadedModel[] {
  return [...context.entries.values()].flatMap((entry) => {
    const { model, machine, status, observed, usedAt } = entry;
    const pods = observed?.replicas.length ?? 0;
    if (!machine || (status.desired_replicas === 0 && pods === 0)) return [];
    return {
      key: model.id,
      runtime: model.runtime ?? "llama.cpp",
      state: toLoadedState(entry),
      reason: status.state_reason,
      memoryBytes: machine.size.bytes * pods,
      contextLength: machine.size.contextLength,
      inFlight: countInFlight(context, model.id),
      lastUsedAt: lastUsedAt(context, model.id, usedAt) ?? context.clock.now(),
    };
  });
}

function toLoadedState({ status }: Entry): LoadedModel["state"] {
  if (status.desired_replicas === 0) return "unloading";
  if (status.ready_replicas > 0) return "warm";
  if (status.state === "failed") return "failed";
  return status.state_reason === null ? "loading" : "waiting";
}

function createStore(context: Context): ReconcilerStore {
  const { entries } = context;
  return {
    listIds: async () => [...entries.values()].flatMap((entry) => (entry.machine || entry.observed ? entry.id : [])),
    find: (id) => findDesired(context, id),
    async save(id, _version, observedStatus) {
      const entry = entries.get(id);
      if (entry) entry.status = observedStatus;
      return true;
    },
    delete: async (id) => void (entries.get(id)?.isUnregistered && entries.delete(id)),
  };
}

/**
 * Returns the deployment that a model should have in the cluster. Null if the model has no entry, or while it is unknown
 * which pods already run.
 */
async function findDesired(context: Context, id: string): Promise<ReconciledDeployment | null> {
  const entry = context.entries.get(id);
  if (!entry || !(await adopt(context, entry))) return null;
  const { model, machine, status, isUnloaded, isUnregistered } = entry;
  const spec = toSpec(model, machine);
  return {
    ...status,
    id,
    version: 0,
    provider_id: PROVIDER_ID,
    spec,
    generation: generationOf(spec),
    settings_version: 0,
    paused: isUnloaded || !machine,
    deleting: isUnregistered,
    min_replicas: model.pinned ? 1 : 0,
    max_replicas: context.maxPods,
    autoscale_target: CALLS_PER_POD,
    // A model without any call counts as idle since 1970.
    scale_to_zero_after_s: context.idleSeconds,
    created_at: LONG_AGO,
  };
}

/**
 * Finds out whether pods already run a newly registered model. If so, the model counts as used now. Returns false if the
 * cluster could not tell.
 */
async function adopt({ provider, clock }: Context, entry: Entry): Promise<boolean> {
  if (entry.isAdopted) return true;
  const observed = await provider.observe(entry.id);
  const isUnknown = observed !== null && observed.replicas.length === 0 && (observed.problem ?? null) !== null;
  if (isUnknown && observed.targetReplicas === 0) return false;
  entry.isAdopted = true;
  const { targetReplicas = 0 } = observed ?? {};
  if (targetReplicas === 0) return true;
  entry.usedAt ??= clock.now();
  entry.status = { ...entry.status, desired_replicas: targetReplicas };
  return true;
}

function toSpec(model: HostedModel, machine: Machine | null): DeploymentSpec {
  const { contextLength = model.contextLength, sequences = 1 } = machine?.size ?? {};
  const isVllm = model.runtime === "vllm";
  return {
    organizationId: organizationIdOf(model.id) ?? SHARED_ORGANIZATION,
    modelKey: model.id,
    revision: model.revision ?? null,
    region: REGION,
    instanceType: machine?.id ?? "",
    engineArgs: isVllm ? toVllmArgs(model, contextLength) : { context: contextLength, sequences },
  };
}

function toVllmArgs({ toolParser, reasoningParser }: HostedModel, contextLength: number) {
  return {
    max_model_len: contextLength,
    ...(toolParser !== undefined && { tool_call_parser: toolParser }),
    ...(reasoningParser !== undefined && { reasoning_parser: reasoningParser }),
  };
}

/** Returns a number that depends only on the specification of the pods, so that it is the same after a restart. */
function generationOf(spec: DeploymentSpec): number {
  return createHash("sha256").update(JSON.stringify(spec)).digest().readUInt32BE() + 1;
}

/**
 * Returns a provider that ignores removals of registered models. Otherwise their pods would be removed as orphans before
 * the cluster was read.
 */
function protectRegistered({ entries }: Context, provider: DeploymentProvider): DeploymentProvider {
  return {
    ...provider,
    remove: async (id) => {
      const entry = entries.get(id);
      if (!entry || entry.isUnregistered) await provider.remove(id);
    },
  };
}

/**
 * Returns the load of a model. While pods start, one pending call is reported, so that a start that takes longer than the
 * idle time is not interrupted.
 */
function readLoad(context: Context, id: string): DeploymentLoad {
  const entry = context.entries.get(id);
  if (!entry) return { pending: 0, lastRequestAt: null };
  const { model, status, isUnloaded } = entry;
  const inFlight = countInFlight(context, model.id);
  if (inFlight > 0) entry.usedAt = context.clock.now();
  const isStarting = status.state === "initializing" && status.state_reason === null && !isUnloaded;
  return {
    pending: Math.max(inFlight, isStarting ? 1 : 0),
    lastRequestAt: lastUsedAt(context, model.id, entry.usedAt),
  };
}

function lastUsedAt({ registry }: Context, key: string, usedAt: Date | null): Date | null {
  const answeredAt = registry.lastAnswerAt(key);
  const latest = Math.max(answeredAt, usedAt?.getTime() ?? 0);
  return latest === 0 ? null : new Date(latest);
}

/** Stores what was observed of a model's pods, and adds the ready ones to the registry as backends. */
function updatePods(context: Context, id: string, observed: Observed | null): void {
  const entry = context.entries.get(id);
  if (!entry) return;
  const hadPods = isWarm(context, entry.model.id);
  entry.observed = observed;
  setBackends(context, entry, observed);
  if (!hadPods && isWarm(context, entry.model.id)) recordStart(context, entry);
  if (entry.isUnloaded && entry.reloadsAfterUnload && (observed?.replicas.length ?? 0) === 0)
    startAgain(context, entry);
}

/** Updates the pods of a model while another process leads: this process led before, and its calls are still in progress. */
async function refreshPods(context: Context, id: string): Promise<void> {
  try {
    updatePods(context, id, await context.provider.observe(id));
  } catch (error) {
    context.log.error({ err: error, model: id }, "the pods of a shared model cannot be seen");
  }
}

function recordStart({ clock, startDurations }: Context, entry: Entry): void {
  const now = clock.now();
  if (entry.startedAt) startDurations.set(entry.model.id, now.getTime() - entry.startedAt.getTime());
  entry.startedAt = null;
  entry.usedAt = now;
}

function startAgain({ clock, enqueue }: Context, entry: Entry): void {
  const now = clock.now();
  Object.assign(entry, { isUnloaded: false, reloadsAfterUnload: false, usedAt: now, startedAt: now });
  enqueue(entry.id);
}

function setBackends(context: Context, { model, machine }: Entry, observed: Observed | null): void {
  const { registry } = context;
  const contextLength = machine?.size.contextLength ?? model.contextLength;
  const served = { models: new Map([[model.id, model.id]]), contextLengths: new Map([[model.id, contextLength]]) };
  const running = new Map(listBackends(context, model.id).map((backend) => [backend.name, backend]));
  const targets = (observed?.replicas ?? []).flatMap(({ name, state, endpoint }) =>
    state === "ready" && endpoint ? { name: podBackendName(model.id, name), endpoint } : [],
  );
  for (const { name, endpoint } of targets)
    if (running.get(name)?.baseUrl !== endpoint.baseUrl)
      registry.set({ name, source: "engine", weight: 1, ...served, ...endpoint });
  const names = new Set(targets.map(({ name }) => name));
  for (const name of running.keys()) if (!names.has(name)) registry.remove(name);
}

const podBackendName = (key: string, pod: string) => `${engineBackendName(key)} ${pod}`;

function listBackends({ registry }: Context, key: string) {
  const prefix = podBackendName(key, "");
  return registry.list().filter(({ name }) => name.startsWith(prefix));
}

function countInFlight(context: Context, key: string): number {
  return listBackends(context, key).reduce((sum, { inFlight }) => sum + inFlight, 0);
}
