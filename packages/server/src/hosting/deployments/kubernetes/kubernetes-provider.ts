import { createHash, timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type {
  DeploymentProvider,
  DeploymentSpec,
  DeploymentTarget,
  Observed,
  ProviderDescription,
  Replica,
} from "../provider.ts";
import { type ClusterApi, ClusterError, describeClusterError } from "./cluster-api.ts";
import { type ClusterCache, createClusterCache } from "./cluster-cache.ts";
import { API_KEY, FILES_TOKEN, type PodFiles } from "./containers.ts";
import { createGroupEnds, type GroupEnds } from "./group-ends.ts";
import { gpusOf, type Hardware, runtimeOf } from "./hardware.ts";
import type { KubernetesSettings } from "./kubernetes.settings.ts";
import { manifestsOf, workloadKindOf } from "./manifests.ts";
import { findPodFiles, type ModelSources } from "./model-files.ts";
import {
  type ClusterObject,
  GENERATION_LABEL,
  nameOf,
  WORKLOAD_KINDS,
  type WorkloadKind,
  WRITTEN_KINDS,
  type WrittenKind,
} from "./objects.ts";
import { followPodLogs, readPodLogs } from "./pod-logs.ts";
import { toReplicas } from "./pod-states.ts";
import type { RetryTimes } from "./reflector.ts";
import { describeWorkload, replicasOf } from "./workloads.ts";

/** Log messages about the cluster and about single deployments. */
type ClusterLog = {
  warn(fields: { reason: string; deployment?: string }, message: string): void;
  info(message: string): void;
};

type Deps = {
  api: ClusterApi;
  settings: KubernetesSettings;
  sources: ModelSources;
  /** The operator's token of the hub; undefined if there is none. */
  hubToken: string | undefined;
  /** Returns the id of this installation, which labels its objects. */
  loadOwner(): Promise<string>;
  /** Returns a new random token. */
  createToken(): string;
  clock: Clock;
  log: ClusterLog;
  retry?: RetryTimes;
  /** How long the first calls wait until the cluster has been read, in milliseconds. */
  firstReadMs?: number;
};

/** The tokens in the Secret of a deployment; `filesToken` is undefined if its pods read no files of this server. */
type Tokens = { apiKey: string; filesToken: string | undefined };

/** The applied target, with its tokens and the kind of its workload object. */
type Applied = {
  target: DeploymentTarget;
  files: PodFiles;
  tokens: Tokens;
  workloadKind: WorkloadKind;
  fingerprints: Map<WrittenKind, string>;
};

/** The state of a deployment that is kept in memory only. It is rebuilt after a restart. */
type Known = {
  /** The last applied target, with the fingerprints of the stored objects by kind. */
  applied: Applied | null;
  /** The error message of the last failed request; null after a success. */
  problem: string | null;
  failures: number;
  /** The earliest time to retry a failed generation, in milliseconds since 1970. */
  retryAt: number;
  /** The generation that was last attempted. */
  tried: number | null;
};

type Context = Deps & {
  retry: RetryTimes;
  firstReadMs: number;
  known: Map<string, Known>;
  groupEnds: GroupEnds;
  listeners: Set<(id: string) => void>;
  /** Resolves to the cache of the cluster's objects; null before the first call. */
  starting: Promise<Started> | null;
  stopped: boolean;
};
/** A provider whose pods may read files of this server. */
export type ClusterProvider = DeploymentProvider & {
  /** Returns whether a token authorizes the pods of a deployment to read files. */
  mayReadFiles(id: string, token: string): Promise<boolean>;
};
type Started = { owner: string; cache: ClusterCache };

const REGION = "cluster";
const MAX_REPLICAS = 100;
const DEFAULT_RETRY: RetryTimes = { minMs: 1_000, maxMs: 60_000 };
const FIRST_READ_MS = 10_000;

/**
 * Runs deployments in a Kubernetes cluster, which keeps them running when this server stops. All state is read back from the
 * cluster: existing objects are adopted, changes by other clients are reverted, and objects without a row are deleted.
 */
export function createKubernetesProvider(deps: Deps): ClusterProvider {
  const context: Context = {
    ...deps,
    retry: deps.retry ?? DEFAULT_RETRY,
    firstReadMs: deps.firstReadMs ?? FIRST_READ_MS,
    known: new Map(),
    groupEnds: createGroupEnds(),
    listeners: new Set(),
    starting: null,
    stopped: false,
  };
  return {
    ...bind(context, {
      describe: describeCluster,
      check: checkSpec,
      apply: applyTarget,
      remove: removeObjects,
      observe: observeDeployment,
      list: listDeployments,
      logs: readLogs,
      follow: followLogs,
      stop: stopWatching,
      mayReadFiles,
    }),
    onChange: (listener) => void context.listeners.add(listener),
    tick: async () => {},
  };
}

function describeCluster({ settings }: Context): ProviderDescription {
  const offered = offeredHardware(settings);
  return {
    id: "kubernetes",
    name: "Kubernetes",
    regions: [{ id: REGION, name: "The cluster" }],
    instance_types: offered.map((row) => {
      const { id, gpu, nodes, hourly_nano_usd } = row;
      return { id, gpu, ...gpusOf(row), nodes, hourly_nano_usd };
    }),
    available: offered.length > 0,
    reason: offered.length > 0 ? null : "No kind of machine can be used: set FEATHER_KUBERNETES_ENGINE_IMAGE.",
  };
}

/** Returns the available hardware. Types that run the engine are available only if an engine image is configured. */
function offeredHardware({ hardware, engineImage }: KubernetesSettings): Hardware[] {
  return hardware.filter((row) => runtimeOf(row) === "vllm" || engineImage !== undefined);
}

function findHardware({ settings }: Context, id: string): Hardware | undefined {
  return settings.hardware.find((row) => row.id === id);
}

function checkSpec(context: Context, spec: DeploymentSpec, { maxReplicas }: { maxReplicas: number }): void {
  const hardware = findHardware(context, spec.instanceType);
  if (!hardware) throw errors.invalidRequest(`There is no ${spec.instanceType}.`, { param: "instance_type" });
  if (maxReplicas > MAX_REPLICAS)
    throw errors.invalidRequest(`max_replicas is not valid: it is at most ${MAX_REPLICAS}.`, { param: "max_replicas" });
  findPodFiles(spec, hardware, context.sources);
}

async function applyTarget(context: Context, target: DeploymentTarget): Promise<void> {
  const { cache, owner } = await start(context);
  const known = knownOf(context, target.id);
  const mustWait = known.tried === target.generation && context.clock.now().getTime() < known.retryAt;
  if (context.stopped || !cache.isComplete() || mustWait) return;
  known.tried = target.generation;
  try {
    const fingerprints = new Map<WrittenKind, string>();
    const { files, tokens, manifests, workloadKind } = toManifests(context, { cache, owner }, target);
    for (const manifest of manifests) {
      const stored = await applyManifest(context, manifest);
      cache.put(manifest.kind, stored);
      fingerprints.set(manifest.kind, fingerprintOf(stored));
    }
    known.applied = { target, files, tokens, workloadKind, fingerprints };
    for (const { kind, metadata } of findObsolete(context, cache, target.id))
      await context.api.delete(kind, metadata.name);
    recordSuccess(context, target.id, known);
  } catch (error) {
    recordFailure(context, target.id, known, error);
  }
}

/** Applies an object, and returns it as stored. Throws {@link UnusableSpecError} if the cluster lacks LeaderWorkerSets. */
async function applyManifest({ api }: Context, manifest: ClusterObject<WrittenKind>) {
  try {
    return await api.apply(manifest);
  } catch (error) {
    const isUnknownKind = error instanceof ClusterError && error.status === 404;
    if (manifest.kind !== "LeaderWorkerSet" || !isUnknownKind) throw error;
    throw new UnusableSpecError(
      "The cluster has no LeaderWorkerSet: install it (https://lws.sigs.k8s.io), or choose a kind of machine of one node.",
    );
  }
}

/**
 * Returns the workload objects of the former kind, after the number of nodes has changed from or to one. Empty until all
 * replicas of the current workload are ready.
 */
function findReplaced(context: Context, cache: ClusterCache, id: string): ClusterObject<WorkloadKind>[] {
  const { applied } = knownOf(context, id);
  if (applied === null) return [];
  const { target, workloadKind } = applied;
  const others = WORKLOAD_KINDS.filter((kind) => kind !== workloadKind)
    .flatMap((kind): ClusterObject<WorkloadKind>[] => cache.of(kind, id))
    .filter(({ metadata }) => !metadata.deletionTimestamp);
  if (others.length === 0) return [];
  const ready = listReplicas(context, cache, id).filter(
    ({ state, generation }) => state === "ready" && generation === target.generation,
  );
  return ready.length >= target.replicas ? others : [];
}

/**
 * Returns the objects to delete: replaced workloads, and a network policy that the applied target does not have. The policy
 * stays as long as groups of a former workload do, because other policies may keep their pods from reaching each other.
 */
function findObsolete(context: Context, cache: ClusterCache, id: string): ClusterObject<WrittenKind>[] {
  const { applied } = knownOf(context, id);
  if (applied === null) return [];
  const replaced = findReplaced(context, cache, id);
  const isLive = ({ metadata }: ClusterObject) => !metadata.deletionTimestamp;
  const hasFormerGroups = replaced.length === 0 && cache.of("LeaderWorkerSet", id).some(isLive);
  const needsPolicy =
    applied.fingerprints.has("NetworkPolicy") || (context.settings.groupPolicies === "on" && hasFormerGroups);
  return needsPolicy ? replaced : [...replaced, ...cache.of("NetworkPolicy", id).filter(isLive)];
}

function toManifests(context: Context, { cache, owner }: Started, target: DeploymentTarget) {
  const { api, settings, sources, hubToken } = context;
  const { spec } = target;
  const hardware = findHardware(context, spec.instanceType);
  if (!hardware) throw new UnusableSpecError(`There is no kind of machine ${spec.instanceType} any more.`);
  const files = findFiles(context, spec, hardware);
  const isServed = files.from === "server";
  const tokens = findTokens(context, cache, target.id, isServed);
  const { hubUrl, serverUrl } = sources;
  const manifests = manifestsOf({
    target,
    owner,
    settings,
    hardware,
    files,
    hubUrl,
    serverUrl,
    ...tokens,
    namespace: api.namespace,
    hubToken: isServed ? undefined : hubToken,
  });
  return { files, tokens, manifests, workloadKind: workloadKindOf({ hardware }) };
}

/**
 * Returns the tokens of a deployment's Secret, with new ones in place of missing ones. If somebody has deleted the Secret, the
 * applied ones are kept, because running pods expect them.
 */
function findTokens(context: Context, cache: ClusterCache, id: string, isServed: boolean): Tokens {
  const applied = knownOf(context, id).applied?.tokens;
  const { createToken } = context;
  return {
    apiKey: readSecret(cache, id, API_KEY) ?? applied?.apiKey ?? createToken(),
    filesToken: isServed ? (readSecret(cache, id, FILES_TOKEN) ?? applied?.filesToken ?? createToken()) : undefined,
  };
}

/**
 * Returns the source of the files. Throws {@link UnusableSpecError} if a changed setting makes the deployment impossible.
 */
function findFiles({ sources }: Context, spec: DeploymentSpec, hardware: Hardware): PodFiles {
  try {
    return findPodFiles(spec, hardware, sources);
  } catch (error) {
    throw new UnusableSpecError(error instanceof Error ? error.message : String(error));
  }
}

/** Thrown for a deployment that cannot run with the current settings; the message is shown to its owners. */
class UnusableSpecError extends Error {}

function readSecret(cache: ClusterCache, id: string, key: string): string | null {
  const encoded = cache.of("Secret", id).find(({ metadata }) => metadata.name === nameOf(id))?.data?.[key];
  return encoded ? Buffer.from(encoded, "base64").toString() : null;
}

/** Returns whether a token is the one in the deployment's Secret. It is invalid once the Secret is deleted. */
async function mayReadFiles(context: Context, id: string, token: string): Promise<boolean> {
  const { cache } = await start(context);
  const expected = readSecret(cache, id, FILES_TOKEN);
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return expected !== null && timingSafeEqual(digest(token), digest(expected));
}

async function removeObjects(context: Context, id: string): Promise<void> {
  const { cache } = await start(context);
  const known = knownOf(context, id);
  const mustWait = cache.deploymentIds().includes(id) && context.clock.now().getTime() < known.retryAt;
  if (!cache.isComplete() || mustWait) return;
  known.applied = null;
  known.tried = null;
  try {
    for (const kind of WRITTEN_KINDS.toReversed())
      for (const { metadata } of cache.of(kind, id))
        if (!metadata.deletionTimestamp) await context.api.delete(kind, metadata.name);
    // Does not notify subscribers: the cache still contains the objects until the watches report that they were deleted.
    clearFailure(known);
  } catch (error) {
    recordFailure(context, id, known, error);
  }
}

async function observeDeployment(context: Context, id: string): Promise<Observed | null> {
  const { cache } = await start(context);
  const known = knownOf(context, id);
  if (!cache.isComplete()) {
    const problem = describeProblem(context, cache.error());
    return { generation: 0, targetReplicas: 0, replicas: [], problem };
  }
  if (!cache.deploymentIds().includes(id)) {
    context.groupEnds.evictAll(nameOf(id));
    if (known.problem === null) context.known.delete(id);
    return known.problem === null ? null : { generation: 0, targetReplicas: 0, replicas: [], problem: known.problem };
  }
  const workload = findWorkload(context, cache, id);
  const replicas = listReplicas(context, cache, id);
  for (const { state, name } of replicas) if (state === "ready") context.groupEnds.evict(name);
  return {
    generation: isAsApplied(context, cache, id) ? (known.applied?.target.generation ?? 0) : 0,
    targetReplicas: replicasOf(workload),
    replicas,
    problem: known.problem ?? describeWorkload(workload, cache.of("Pod", id), cache.events(nameOf(id))),
  };
}

function listReplicas({ groupEnds }: Context, cache: ClusterCache, id: string): Replica[] {
  return toReplicas({
    runtimeOf: (pod) => (pod.spec?.containers[0]?.command?.[0] === "vllm" ? "vllm" : "engine"),
    apiKey: readSecret(cache, id, API_KEY),
    events: cache.events(nameOf(id)),
    findGroupEnd: groupEnds.get,
    pods: cache.of("Pod", id),
    slices: cache.of("EndpointSlice", id),
  });
}

/** Returns the workload object. There are two while one kind replaces the other; then the applied kind is returned. */
function findWorkload(context: Context, cache: ClusterCache, id: string): ClusterObject<WorkloadKind> | undefined {
  const applied = knownOf(context, id).applied?.workloadKind;
  const [first, ...others] = WORKLOAD_KINDS.flatMap((kind): ClusterObject<WorkloadKind>[] => cache.of(kind, id));
  return [first, ...others].find((one) => one?.kind === applied) ?? first;
}

/**
 * Returns whether all objects exist as they were applied, none is left that must be deleted, and the model's files have not
 * changed.
 */
function isAsApplied(context: Context, cache: ClusterCache, id: string): boolean {
  const { applied } = knownOf(context, id);
  if (applied === null || !hasSameFiles(context, applied) || findObsolete(context, cache, id).length > 0) return false;
  return [...applied.fingerprints].every(([kind, fingerprint]) =>
    cache.of(kind, id).some((object) => !object.metadata.deletionTimestamp && fingerprintOf(object) === fingerprint),
  );
}

/**
 * Returns whether the model's files are those of the last apply. Also true if they cannot be determined at present, so that
 * the running pods are kept.
 */
function hasSameFiles(context: Context, { target, files }: NonNullable<Known["applied"]>): boolean {
  const hardware = findHardware(context, target.spec.instanceType);
  if (!hardware) return true;
  try {
    return isDeepStrictEqual(findFiles(context, target.spec, hardware), files);
  } catch {
    return true;
  }
}

/**
 * Returns a hash of an object's uid and of the fields that the provider sets: labels, generation, and data or spec. The
 * status and the cluster's annotations are left out.
 */
function fingerprintOf(object: ClusterObject<WrittenKind>): string {
  const { uid, labels, annotations } = object.metadata;
  const content = "data" in object ? object.data : "spec" in object ? object.spec : null;
  const values = [uid, labels, annotations?.[GENERATION_LABEL], content];
  return createHash("sha256").update(JSON.stringify(values)).digest("base64");
}

function describeProblem({ api }: Context, error: unknown): string {
  if (error === null) return "The cluster is being read.";
  if (error instanceof UnusableSpecError) return error.message;
  return describeClusterError(error, api.namespace);
}

/**
 * Returns the ids of all deployments in the cluster; none while it cannot be read, so that nothing is deleted by mistake.
 */
async function listDeployments(context: Context): Promise<string[]> {
  const { cache } = await start(context);
  return cache.isComplete() ? cache.deploymentIds() : [];
}

async function readLogs(context: Context, id: string, tail: number) {
  const { cache } = await start(context);
  return readPodLogs({ api: context.api, cache }, id, tail);
}

function followLogs(
  context: Context,
  id: string,
  onLine: Parameters<DeploymentProvider["follow"]>[1],
  onEnd: () => void,
) {
  const stopping = new AbortController();
  start(context).then(({ cache }) => {
    if (stopping.signal.aborted) return;
    const stop = followPodLogs({ api: context.api, cache }, id, context.clock.now(), { onLine, onEnd });
    stopping.signal.addEventListener("abort", stop);
  }, onEnd);
  return () => stopping.abort();
}

async function stopWatching(context: Context): Promise<void> {
  context.stopped = true;
  context.listeners.clear();
  await (await context.starting?.catch(() => null))?.cache.stop();
}

/** Starts the watches at the first call, and waits up to `firstReadMs` until the cluster has been read. */
async function start(context: Context): Promise<Started> {
  context.starting ??= startWatching(context).catch((error: unknown) => {
    context.starting = null; // so that the next call tries again
    throw error;
  });
  const started = await context.starting;
  if (!started.cache.isComplete() && !context.stopped) await started.cache.waitUntilComplete(context.firstReadMs);
  return started;
}

async function startWatching(context: Context): Promise<Started> {
  const { api, retry, loadOwner, listeners, log, groupEnds } = context;
  const owner = await loadOwner();
  const onChange = (id: string) => {
    groupEnds.record(cache.of("Pod", id));
    for (const listener of listeners) listener(id);
  };
  const onReadable = (error: unknown) => {
    if (error === null) log.info("the cluster can be read again");
    else log.warn({ reason: describeProblem(context, error) }, "the cluster cannot be read");
  };
  const cache = createClusterCache({ api, owner, retry, onChange, onReadable });
  if (!context.stopped) cache.start();
  return { owner, cache };
}

function knownOf({ known }: Context, id: string): Known {
  const existing = known.get(id) ?? { applied: null, problem: null, failures: 0, retryAt: 0, tried: null };
  known.set(id, existing);
  return existing;
}

function clearFailure(known: Known): void {
  Object.assign(known, { problem: null, failures: 0, retryAt: 0 });
}

function recordSuccess({ listeners }: Context, id: string, known: Known): void {
  clearFailure(known);
  for (const listener of listeners) listener(id);
}

/** Records a failure. Until `retryAt` the reconciler's calls do nothing; the delay doubles with each failure. */
function recordFailure(context: Context, id: string, known: Known, error: unknown): void {
  const { clock, log, retry } = context;
  const problem = describeProblem(context, error);
  if (problem !== known.problem)
    log.warn({ deployment: id, reason: problem }, "a deployment could not be changed in the cluster");
  const requestedMs =
    error instanceof ClusterError && error.retryAfterSeconds !== null ? error.retryAfterSeconds * 1000 : 0;
  const waitMs = Math.min(Math.max(retry.minMs * 2 ** Math.min(known.failures, 10), requestedMs), retry.maxMs);
  Object.assign(known, { problem, failures: known.failures + 1, retryAt: clock.now().getTime() + waitMs });
}
