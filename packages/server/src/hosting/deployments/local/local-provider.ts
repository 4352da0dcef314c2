import { availableParallelism } from "node:os";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import { modelIdOf } from "../../../platform/core/models/model-keys.ts";
import {
  estimateEngineBytes,
  filesOf,
  findRuntime,
  type HostedModel,
  listMemories,
  type Runtime,
  type Runtimes,
} from "../../runtimes/index.ts";
import { parseEngineArgs } from "../engine-args.ts";
import type {
  DeploymentProvider,
  DeploymentSpec,
  DeploymentTarget,
  Observed,
  ProviderDescription,
} from "../provider.ts";
import { type LocalReplica, startReplica, WAITING_FOR_MEMORY } from "./local-replica.ts";
import { createLogBuffer, type LogBuffer } from "./log-buffer.ts";

/** Returns a model that the server hosts; null if there is none or the organization may not use it. */
type FindModel = (modelKey: string, organizationId: string) => HostedModel | null;

type Deps = {
  /** The programs that run models on this machine. */
  runtimes: Runtimes;
  findModel: FindModel;
  clock: Clock;
};
type LocalDeployment = { target: DeploymentTarget | null; replicas: Set<LocalReplica> };

const REGION = "here";
const INSTANCE = "cpu";
const MAX_REPLICAS_PER_CORE = 4;
/** Accepted for every file. It means the newest revision at the time of the download. */
const DEFAULT_REVISION = "main";

type Context = Deps & {
  deploymentsById: Map<string, LocalDeployment>;
  logs: LogBuffer;
  /** Called with the id of a deployment whose replicas have changed. */
  listeners: Set<(id: string) => void>;
  stopped: boolean;
};

/**
 * Creates the provider that runs deployments as engines on this machine. The engines end with the server; after a restart
 * the reconciler starts them again.
 */
export function createLocalProvider(deps: Deps): DeploymentProvider {
  const context: Context = {
    ...deps,
    deploymentsById: new Map(),
    logs: createLogBuffer(deps.clock),
    listeners: new Set(),
    stopped: false,
  };
  const { deploymentsById, logs, listeners } = context;
  const stopListening = listMemories(deps.runtimes).map((memory) => memory.onReleased(() => retryReplicas(context)));

  return {
    ...bind(context, { check: checkSpec, apply: applyTarget, remove: removeReplicas, observe: observeReplicas }),
    describe: describeMachine,
    list: async () => [...deploymentsById.keys()],
    logs: async (id, tail) => logs.tail(id, tail),
    follow: logs.follow,
    onChange: (listener) => void listeners.add(listener),
    tick: async () => retryReplicas(context),
    async stop() {
      for (const stop of stopListening) stop();
      await stopAll(context);
    },
  };
}

function describeMachine(): ProviderDescription {
  return {
    id: "local",
    name: "This machine",
    regions: [{ id: REGION, name: "Here" }],
    instance_types: [{ id: INSTANCE, gpu: null, gpu_count: 0, vram_gb: 0, nodes: 1, hourly_nano_usd: "0" }],
    available: true,
    reason: null,
  };
}

function checkSpec(
  { runtimes, findModel }: Context,
  spec: DeploymentSpec,
  { maxReplicas }: { maxReplicas: number },
): void {
  const maxAllowed = availableParallelism() * MAX_REPLICAS_PER_CORE;
  if (maxReplicas > maxAllowed)
    throw errors.invalidRequest(`max_replicas is not valid: this machine runs up to ${maxAllowed} of a deployment.`, {
      param: "max_replicas",
      details: { max: maxAllowed },
    });
  const sizes = parseEngineArgs(spec.engineArgs);
  const model = findModel(spec.modelKey, spec.organizationId);
  if (!model) throw modelFileMissing(modelIdOf(spec.modelKey));
  if (model.isElsewhere) throw modelElsewhere(modelIdOf(spec.modelKey));
  const runtime = findEngine(runtimes, model);
  if (runtime === null) throw errors.deployments.needsGguf({ model: modelIdOf(spec.modelKey) }, { param: "model_id" });
  const { revision } = spec;
  if (revision !== null && revision !== DEFAULT_REVISION && revision !== model.revision)
    throw revisionMismatch(revision, model);
  const needed = estimateEngineBytes(
    { ...model, contextLength: sizes.contextLength ?? model.contextLength },
    sizes.sequences,
  );
  const { budget } = runtime.memory;
  if (needed > budget) throw modelTooLarge(modelIdOf(spec.modelKey), needed, budget);
}

/** Returns what runs a model in a deployment; null if it is not in a GGUF file. */
function findEngine(runtimes: Runtimes, model: HostedModel): Runtime | null {
  return filesOf(model) === "gguf" ? findRuntime(runtimes, model) : null;
}

async function applyTarget(context: Context, target: DeploymentTarget): Promise<void> {
  if (context.stopped) return; // the caller may not know yet that the server is stopping
  const local = context.deploymentsById.get(target.id) ?? { target, replicas: new Set() };
  local.target = target;
  context.deploymentsById.set(target.id, local);
  converge(context, target.id);
}

async function removeReplicas(context: Context, id: string): Promise<void> {
  const local = context.deploymentsById.get(id);
  if (!local) return;
  local.target = null;
  if (local.replicas.size === 0) removeDeployment(context, id);
  else converge(context, id);
}

async function observeReplicas({ deploymentsById }: Context, id: string): Promise<Observed | null> {
  const local = deploymentsById.get(id);
  if (!local) return null;
  const replicas = [...local.replicas].map(({ replica }) => replica);
  return { generation: local.target?.generation ?? 0, targetReplicas: local.target?.replicas ?? 0, replicas };
}

async function stopAll(context: Context): Promise<void> {
  const { deploymentsById, listeners } = context;
  context.stopped = true;
  listeners.clear();
  const replicas = [...deploymentsById.values()].flatMap((local) => [...local.replicas]);
  for (const local of deploymentsById.values()) local.target = null;
  await Promise.all(replicas.map((replica) => replica.stop()));
  deploymentsById.clear();
}

/** Starts and stops replicas to get closer to the target. It is called again after every change of a replica. */
function converge(context: Context, id: string): void {
  const local = context.deploymentsById.get(id);
  if (!local) return;
  const { target, replicas } = local;
  const running = [...replicas].filter(({ replica }) => replica.state !== "stopping");
  const count = target?.replicas ?? 0;
  const current = running.filter(({ replica }) => replica.generation === target?.generation);
  const oldReplicas = running.filter(({ replica }) => replica.generation !== target?.generation);
  for (const surplus of current.slice(count)) void stopReplica(context, id, surplus);
  // A new replica must be ready before an old one stops. They are replaced one at a time.
  const ready = current.slice(0, count).filter(({ replica }) => replica.state === "ready").length;
  const isReady = ({ replica }: LocalReplica) => Number(replica.state === "ready");
  // If the memory is too small for both, the old one stops first.
  const waitingForMemory = current.filter(({ replica }) => replica.reason === WAITING_FOR_MEMORY).length;
  const keepCount = Math.max(0, count - ready - waitingForMemory);
  const replicasToStop = oldReplicas.sort((a, b) => isReady(b) - isReady(a)).slice(keepCount);
  for (const old of replicasToStop) void stopReplica(context, id, old);
  const maxRunning = oldReplicas.length > 0 ? Math.min(count, ready + 1) : count;
  for (let missing = maxRunning - current.length; missing > 0; missing--) startNextReplica(context, id, local);
}

function startNextReplica(context: Context, id: string, local: LocalDeployment): void {
  const { runtimes, findModel, logs } = context;
  const { target, replicas } = local;
  if (!target) return;
  const taken = new Set([...replicas].map(({ replica }) => replica.name));
  let index = 0;
  while (taken.has(String(index))) index += 1;
  const name = String(index);
  const events = {
    changed: () => {
      queueMicrotask(() => converge(context, id));
      notifyListeners(context, id);
    },
    line: (replica: string, text: string) => logs.add(id, replica, text),
  };
  const { generation, spec } = target;
  const findReplicaModel = () => {
    const model = findModel(spec.modelKey, spec.organizationId);
    const runtime = model && !model.isElsewhere ? findEngine(runtimes, model) : null;
    return model && runtime && { model, runtime };
  };
  logs.add(id, name, "starting");
  replicas.add(startReplica(events, { name, generation, findReplicaModel, sizes: parseEngineArgs(spec.engineArgs) }));
}

async function stopReplica(context: Context, id: string, replica: LocalReplica): Promise<void> {
  const stopped = replica.stop();
  notifyListeners(context, id);
  await stopped;
  const local = context.deploymentsById.get(id);
  local?.replicas.delete(replica);
  if (local?.target === null && local.replicas.size === 0) removeDeployment(context, id);
  notifyListeners(context, id);
}

function removeDeployment({ deploymentsById, logs }: Context, id: string): void {
  deploymentsById.delete(id);
  logs.remove(id);
}

function retryReplicas({ deploymentsById }: Context): void {
  for (const { replicas } of deploymentsById.values()) for (const replica of replicas) replica.retry();
}

function notifyListeners({ listeners }: Context, id: string): void {
  for (const listener of listeners) listener(id);
}

function modelElsewhere(modelId: string): AppError {
  return errors.invalidRequest(
    `The file of ${modelId} is not on this machine, since it runs in the cluster. Choose the provider kubernetes.`,
    { param: "provider_id" },
  );
}

function modelFileMissing(modelId: string): AppError {
  return errors.deployments.modelNotHere({ model: modelId }, { param: "model_id" });
}

function revisionMismatch(revision: string, { id, revision: storedRevision }: HostedModel): AppError {
  return errors.deployments.revisionNotHere(
    { model: modelIdOf(id), storedRevision: storedRevision ?? "no named revision", revision },
    { param: "revision" },
  );
}

function modelTooLarge(modelId: string, needed: number, budget: number): AppError {
  const toGigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
  return errors.deployments.tooLarge(
    { model: modelId, needed: toGigabytes(needed), budget: toGigabytes(budget) },
    { param: "model_id", details: { needed, budget } },
  );
}
