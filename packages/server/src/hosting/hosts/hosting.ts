import { existsSync } from "node:fs";
import { totalmem } from "node:os";
import { basename, join } from "node:path";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { BackendRegistry, BackendSpec, EnsureModels } from "../../gateway/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { organizationIdOf, privateModelKey } from "../../platform/core/models/model-keys.ts";
import { answerAsLeader } from "../../platform/core/peers/peer-call.ts";
import type { PeerClient } from "../../platform/core/peers/peer-client.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { Hub } from "../hub/index.ts";
import {
  BUILT_IN_MODELS,
  createMemoryBudget,
  type EngineGpu,
  findRuntime,
  type GgufConverter,
  type HostedModel,
  type IsKnownArchitecture,
  NO_CONVERTER,
  type RuntimeLimits,
  type Runtimes,
  type StartEngine,
  type VllmPort,
} from "../runtimes/index.ts";
import {
  addOllamaModels,
  checksumOf,
  createConversionWork,
  createFileChecksums,
  createGgufWork,
  createHubTokens,
  createModelStore,
  createOllamaWork,
  createOpenPulls,
  createPullEstimate,
  createPullRunner,
  createRemoteGgufWork,
  createServedFiles,
  createSources,
  createSourcesRepository,
  createStoredModels,
  createStoreFolder,
  createStoreQuota,
  createStoreRepository,
  type GetFreeBytes,
  type HubTokens,
  type ModelStore,
  type PullRow,
  type PullWork,
  type ReadGgufHeader,
  type SaveHubFacts,
  type ServedFile,
  type ServedFileLookup,
  type StoredFile,
  type StoredModels,
  type StoreFolder,
  type StoreRepository,
  toServedFiles,
  withModelCard,
} from "../store/index.ts";
import { createFitEstimate, type FitLimits } from "./fit/fit.ts";
import type { HostRegistry, ModelHost } from "./host.ts";
import { describeHosting, READ_HOSTING } from "./leader/hosting-state.ts";
import { createLeaderHosting } from "./leader/leader-hosting.ts";
import { createSharedFit, createSharedHost } from "./leader/shared-host.ts";
import { createLocalHost } from "./local/local-host.ts";
import type { ModelHostSettings } from "./model-host.settings.ts";
import { createSafetensorsModels, type SafetensorsModels } from "./registration/safetensors-models.ts";
import type { SharedPlace } from "./shared-place.ts";
import { createSplitHost } from "./split-host.ts";

type Deps = {
  db: Database;
  settings: ModelHostSettings;
  dataDir: string;
  hub: Hub;
  registry: BackendRegistry;
  adopt: EnsureModels;
  /** Reads the lists of models of all backends again. */
  refreshBackends(): Promise<void>;
  startEngine: StartEngine;
  isKnownArchitecture: IsKnownArchitecture;
  readGgufHeader: ReadGgufHeader;
  saveHubFacts: SaveHubFacts;
  engineGpu: EngineGpu;
  converter: GgufConverter;
  vllm: VllmPort;
  sealer: Sealer;
  /** The operator's token for the hub; undefined without one. */
  operatorToken: string | undefined;
  clock: Clock;
  ids: Ids;
  log: Logger;
  freeBytes?: GetFreeBytes;
  /** The remote host of public models; null if they run on this machine. */
  sharedPlace: SharedPlace | null;
  replicas: Replicas;
  peers: PeerClient;
  /** The token that replicas send to each other's engines. */
  peerToken: string;
};

const DEFAULT_MEMORY_SHARE = 0.6;
/** Share of the GPU memory that models get. The rest is for other programs that use the card. */
const DEFAULT_GPU_SHARE = 0.9;
/** Share of the model memory that a file may take. The rest is for the context and the process. */
const MAX_FILE_SHARE = 0.8;
/** The catalogue's tag for base models, which continue texts and do not chat. */
const BASE_TAG = "base";
const BYTES_PER_MEGABYTE = 1024 * 1024;
const BYTES_PER_GIGABYTE = 1e9;
/** Context length of a model whose file does not state one, in tokens. */
const DEFAULT_CONTEXT_LENGTH = 4_096;

type RuntimeDeps = Pick<Deps, "settings" | "startEngine" | "engineGpu" | "vllm">;

/** The dependencies of functions that register model files. */
type Context = Pick<Deps, "db" | "adopt" | "clock"> & {
  settings: Pick<ModelHostSettings, "contextTokens">;
  registry: Pick<BackendRegistry, "lastAnswerAt" | "list">;
  host: ModelHost;
  /** Whether public models run on a remote host, so that this machine does not store their files. */
  isSharedRemote: boolean;
  folder: StoreFolder;
  storeRepository: StoreRepository;
  /** The organizations of private models, by the keys of the models. */
  ownersByKey: Map<string, string>;
  /** The keys of public models with a file, by the model id in the file's row. */
  publicKeys: Map<string, string>;
};

/**
 * Creates the hosting of models: their files, their memory budget, and the engines that run them, on this machine or on a
 * remote host.
 */
export function createHosting(deps: Deps) {
  const { settings } = deps;
  const runtimes = createRuntimes(deps);
  const context = createContext(deps, runtimes);
  const { host, folder, storeRepository } = context;
  const { memory } = runtimes["llama.cpp"];
  const limits = toFitLimits(deps.sharedPlace?.limits ?? runtimes, settings.contextTokens);
  const shared = shareHosting(deps, host, limits);
  const ownRuntimes: RuntimeLimits = deps.sharedPlace?.getsFiles ? limits.runtimes : runtimes;
  const { runner, vllm, ...store } = createStore(deps, context, { ownRuntimes, limits });
  const deletion = { ...context, vllm };
  const checksums = createFileChecksums({ compute: checksumOf });
  const served = createServedFiles(checksums);
  return {
    ...bind(shared, { findForOrganization: findHostedModel }),
    ...bind({ host: shared.host, served }, { describeFiles }),
    ...bind({ host, served }, { findModelFile }),
    ...bind(deletion, { deleteOrphans, deletePrivateFiles }),
    planSafetensors: vllm.plan,
    /** Returns whether the program that a private model needs is available. */
    canRun: (model: HostedModel) => findRuntime(ownRuntimes, model) !== null,
    memory,
    runtimes,
    ...shared,
    folder,
    files: storeRepository,
    pullRunner: runner,
    ...store,
    jobs: [
      host.job,
      runner.job,
      store.openPulls.job,
      { name: "delete orphaned model files", everySeconds: 60, run: () => deleteOrphans(deletion) },
      { name: "record the use of models", everySeconds: 60, run: () => recordUse(context) },
      { name: "record the use of models of vLLM", everySeconds: 60, run: vllm.recordUse },
    ],

    /** Registers the built-in models and those in the store, and continues downloads. */
    async start(): Promise<void> {
      for (const model of listBuiltInModels(settings.preload && deps.sharedPlace === null)) host.register(model);
      for (const file of await storeRepository.listFiles()) await registerFile(context, file);
      await vllm.start();
      host.completeRegistration();
      void runner.poll();
      await store.openPulls.refresh();
    },
    async stop(): Promise<void> {
      shared.leaderHosting?.stop();
      checksums.stop();
      await runner.stop();
      await host.stop();
    },
  };
}

function createContext(
  { db, adopt, clock, settings, registry, replicas, dataDir, freeBytes, sharedPlace, log }: Deps,
  runtimes: Runtimes,
) {
  const engines = announceEngines(registry, replicas);
  const own = createLocalHost({ runtimes, registry: engines, clock, idleMs: settings.idleSeconds * SECOND_MS, log });
  const context: Context = {
    db,
    adopt,
    clock,
    settings,
    registry,
    host: placeModels(own, sharedPlace, engines),
    isSharedRemote: sharedPlace !== null,
    folder: createStoreFolder(join(dataDir, "models"), freeBytes),
    storeRepository: createStoreRepository(db),
    ownersByKey: new Map(),
    publicKeys: new Map(),
  };
  return context;
}

/**
 * Returns the host that runs all models: this machine, a remote one, or public models on the remote one and private ones
 * here.
 */
function placeModels(own: ModelHost, place: SharedPlace | null, registry: HostRegistry): ModelHost {
  if (place === null) return own;
  const elsewhere = place.createHost(registry);
  return place.getsFiles ? elsewhere : createSplitHost(elsewhere, own);
}

/** Returns a registry that tells the other replicas when an engine of this process was started or stopped. */
function announceEngines(registry: BackendRegistry, { bus }: Pick<Replicas, "bus">) {
  const { list, lastAnswerAt } = registry;
  const announce = () => bus.publish("hosting", {});
  return {
    list,
    lastAnswerAt,
    set(spec: BackendSpec) {
      registry.set(spec);
      announce();
    },
    remove(name: string) {
      registry.remove(name);
      announce();
    },
  };
}

/** Returns the limits that decide which models fit in the memory of these runtimes. */
function toFitLimits(runtimes: RuntimeLimits, contextTokens: number): FitLimits {
  const { "llama.cpp": engine } = runtimes;
  const availableBytes = "unavailable" in engine ? 0 : engine.memory.budget;
  return { availableBytes, maxFileBytes: toMaxFileBytes(availableBytes), contextTokens, runtimes };
}

const toMaxFileBytes = (availableBytes: number): number => Math.floor(availableBytes * MAX_FILE_SHARE);

/**
 * Creates the store of model files and their downloads: GGUF files, safetensors files for vLLM, and models that Ollama
 * downloads.
 */
function createStore(
  { dataDir, hub, sealer, operatorToken, refreshBackends, isKnownArchitecture, converter, ids, log, ...deps }: Deps,
  context: Context,
  { ownRuntimes, limits }: { ownRuntimes: RuntimeLimits; limits: FitLimits },
) {
  const { db, host, folder, storeRepository, registry, adopt, clock, isSharedRemote } = context;
  const { maxFileBytes } = toFitLimits(ownRuntimes, deps.settings.contextTokens);
  const { maxStoreGigabytes, contextTokens } = deps.settings;
  const tokens = createHubTokens({ db, sealer, operatorToken });
  const vllm = createSafetensorsModels({
    db,
    hub,
    tokens,
    sealer,
    host,
    registry,
    adopt,
    folder,
    storeRepository,
    dataDir,
    clock,
    ids,
    runtimes: ownRuntimes,
    contextTokens,
    ownersByKey: context.ownersByKey,
    shared: { runtimes: limits.runtimes, isRemote: isSharedRemote },
    isKnownToVllm: findVllmArchitectureCheck(deps),
  });
  const storedModels = vllm.addStoredModels(createGgufModels(context));
  const quota = createStoreQuota({
    storeRepository,
    log,
    storedModels: leaveOutRemote(storedModels, isSharedRemote),
    maxBytes: maxStoreGigabytes === undefined ? undefined : maxStoreGigabytes * BYTES_PER_GIGABYTE,
  });
  const sourcesRepository = createSourcesRepository(db);
  const sources = createSources({ hub, tokens, storeRepository, sourcesRepository, clock });
  const ggufDeps = {
    db,
    storeRepository,
    folder,
    hub,
    sealer,
    quota,
    clock,
    isKnownArchitecture,
    readGgufHeader: deps.readGgufHeader,
    onStored: (file: StoredFile, pull: PullRow, trx: Database) =>
      loadStoredFile({ ...context, vllm }, { file, isAwaited: pull.automatic_for !== null }, trx),
  };
  const works = createPullWorks(
    { hub, saveHubFacts: deps.saveHubFacts, converter, refreshBackends, log },
    { tokens, ggufDeps, registry, isSharedRemote, maxFileBytes, safetensorsWork: vllm.createWork(quota) },
  );
  const runner = createPullRunner({ storeRepository, works, clock, log });
  const storeDeps = {
    db,
    storeRepository,
    folder,
    hub,
    runner,
    sealer,
    tokens,
    sources,
    quota,
    clock,
    ids,
    maxFileBytes,
    isKnownArchitecture,
    converter,
  };
  const ownStore = createModelStore(storeDeps);
  const ggufStore = isSharedRemote
    ? withRemoteModels(ownStore, createRemoteStore(storeDeps, limits.maxFileBytes), limits.maxFileBytes)
    : ownStore;
  const withOllama = addOllamaModels({ db, registry, storeRepository, runner, clock, ids }, ggufStore);
  const modelStore = vllm.addModelStore(withOllama, { runner, quota });
  const pullEstimate = createPullEstimate(clock);
  const openPulls = createOpenPulls({ storeRepository, estimate: pullEstimate, log });
  return {
    modelStore: openPulls.addTo(modelStore),
    storedModels,
    openPulls,
    pullEstimate,
    runner,
    sources,
    sourcesRepository,
    vllm,
  };
}

/** Returns the use cases of stored GGUF files. */
function createGgufModels(context: Context) {
  const { db, storeRepository, folder, host } = context;
  return createStoredModels({
    db,
    storeRepository,
    folder,
    isLoaded: (file) => host.isLoaded(keyOf(context, file)),
    register: (file) => registerFile(context, file),
    unregister: (file) => host.unregister(keyOf(context, file)),
  });
}

type PullWorkDeps = {
  tokens: HubTokens;
  ggufDeps: Parameters<typeof createGgufWork>[0];
  registry: Context["registry"];
  isSharedRemote: boolean;
  /** The largest file that a conversion may write, in bytes. */
  maxFileBytes: number;
  safetensorsWork: PullWork;
};

/** Returns what each kind of download does. */
function createPullWorks(
  {
    hub,
    saveHubFacts,
    converter,
    refreshBackends,
    log,
  }: Pick<Deps, "hub" | "saveHubFacts" | "converter" | "refreshBackends" | "log">,
  { tokens, ggufDeps, registry, isSharedRemote, maxFileBytes, safetensorsWork }: PullWorkDeps,
) {
  const withCard = (work: PullWork) => withModelCard(work, { hub, tokens, saveHubFacts, log });
  const ggufWork = createGgufWork(ggufDeps);
  return {
    gguf: withCard(isSharedRemote ? splitWork(createRemoteGgufWork(ggufDeps), ggufWork) : ggufWork),
    conversion: withCard(createConversionWork({ ...ggufDeps, converter, maxFileBytes })),
    safetensors: withCard(safetensorsWork),
    ollama: createOllamaWork({
      registry,
      storeRepository: ggufDeps.storeRepository,
      refreshBackends,
      clock: ggufDeps.clock,
    }),
  };
}

/** Which architectures a vLLM elsewhere knows, it says when it starts. */
function findVllmArchitectureCheck({ vllm, sharedPlace }: Pick<Deps, "vllm" | "sharedPlace">): IsKnownArchitecture {
  if (sharedPlace?.getsFiles) return async () => true;
  return "unavailable" in vllm ? async () => false : vllm.isKnownArchitecture;
}

/**
 * Creates the use cases for files that a remote host downloads. This machine needs no disk space for them and converts
 * nothing.
 */
function createRemoteStore(deps: Parameters<typeof createModelStore>[0], maxFileBytes: number): ModelStore {
  const noSpace = async () => ({ needed: 0, free: 0, fits: true });
  return createModelStore({
    ...deps,
    maxFileBytes,
    converter: NO_CONVERTER,
    quota: { check: async () => {}, makeRoom: async () => {} },
    folder: { ...deps.folder, has: async () => true, checkSpace: noSpace, checkFree: noSpace },
  });
}

/** Returns the use cases of the model store with those of public models replaced by the remote ones. */
function withRemoteModels(own: ModelStore, remote: ModelStore, maxBytes: number): ModelStore {
  return {
    ...own,
    pullPublic: remote.pullPublic,
    listSourceFiles: async (reference) => ({ maxBytes, ...(await remote.listSourceFiles(reference)) }),
  };
}

/** Returns a work that downloads public models with `shared` and private ones with `own`. */
function splitWork(shared: PullWork, own: PullWork): PullWork {
  return (row, ...rest) => (row.organization_id === null ? shared : own)(row, ...rest);
}

/** Returns the stored models without public ones, if those are on a remote host: they take no space on this machine. */
function leaveOutRemote(storedModels: StoredModels, isSharedRemote: boolean): StoredModels {
  if (!isSharedRemote) return storedModels;
  const list = async () => (await storedModels.list()).filter(({ organization_id }) => organization_id !== null);
  return { ...storedModels, list };
}

/** The hosting of models as other modules use it. */
export type Hosting = Omit<ReturnType<typeof createHosting>, "jobs" | "peerAnswers">;

/**
 * Returns the programs that run models on this machine, each with the memory that its models share. llama.cpp splits a
 * model between graphics card and machine, so its budget is the sum of both, unless they share one memory (Metal) or vLLM
 * uses the card.
 */
function createRuntimes({ settings, startEngine, engineGpu, vllm }: RuntimeDeps): Runtimes {
  const { memoryMegabytes, gpuMegabytes } = settings;
  const machineBytes = memoryMegabytes === undefined ? defaultMemoryBytes() : memoryMegabytes * BYTES_PER_MEGABYTE;
  const toGpuBudget = (bytes: number) =>
    Math.floor(
      Math.min(gpuMegabytes === undefined ? bytes * DEFAULT_GPU_SHARE : gpuMegabytes * BYTES_PER_MEGABYTE, bytes),
    );
  const isVllmOn = !("unavailable" in vllm);
  const hasOwnMemory = engineGpu.state === "on" && engineGpu.type !== "metal" && !isVllmOn;
  const memory = createMemoryBudget(machineBytes + (hasOwnMemory ? toGpuBudget(engineGpu.totalBytes) : 0));
  const engine = {
    start: startEngine,
    memory,
    memorySetting: "FEATHER_MODEL_MEMORY" as const,
    memoryName: hasOwnMemory ? ("memory and GPU memory" as const) : ("memory" as const),
  };
  if (!isVllmOn) return { "llama.cpp": engine, vllm };
  const gpuMemory = createMemoryBudget(toGpuBudget(vllm.gpuBytes));
  const onGpu = { memorySetting: "FEATHER_GPU_MEMORY", memoryName: "GPU memory" } as const;
  return { "llama.cpp": engine, vllm: { start: vllm.start, memory: gpuMemory, ...onGpu } };
}

/** Returns a hosted model; null if it does not exist or the organization may not use it. */
function findHostedModel({ host }: Pick<Context, "host">, key: string, organizationId: string): HostedModel | null {
  const owner = organizationIdOf(key);
  return owner === null || owner === organizationId ? host.find(key) : null;
}

/**
 * Returns the program, the origin and the served files of a model; null if it does not exist or the organization may not
 * use it.
 */
function describeFiles(
  context: Pick<Context, "host"> & { served: ServedFileLookup },
  key: string,
  organizationId: string,
) {
  const model = findHostedModel(context, key, organizationId);
  if (model === null) return null;
  const { runtime, fileName, repository, revision, isConverted = false } = model;
  const program = runtime === "vllm" ? ("vllm" as const) : ("engine" as const);
  const files = toServedFiles(model);
  const served = files && { ...files, prepare: () => context.served.prepare(model) };
  return { runtime: program, fileName, repository, revision, isConverted, served };
}

/**
 * Returns a file of a model on this machine. Null if the organization may not use the model, or the model has no such file
 * in that version.
 */
async function findModelFile(
  { host, served }: Pick<Context, "host"> & { served: ServedFileLookup },
  { key, organizationId }: { key: string; organizationId: string },
  file: { version: string; name: string },
): Promise<ServedFile | null> {
  const model = findHostedModel({ host }, key, organizationId);
  return model && served.find(model, file);
}

/**
 * Returns the hosted models and the fit estimate: those of this process if it is alone or leads, those of the leader
 * otherwise.
 */
function shareHosting(deps: Deps, host: ModelHost, limits: FitLimits) {
  const { replicas, clock } = deps;
  const fit = createFitEstimate({ ...limits, host });
  if (replicas.isAlone) return { host, fit, leaderHosting: null, peerAnswers: [] };
  const leaderHosting = createLeaderHosting(deps);
  return {
    host: createSharedHost(host, leaderHosting, replicas.isLeader),
    fit: createSharedFit(fit, leaderHosting, replicas.isLeader),
    leaderHosting,
    peerAnswers: [answerAsLeader(READ_HOSTING, replicas, () => describeHosting({ host, limits, now: clock.now }))],
  };
}

/**
 * Registers a new file. Loads its model at once if the model is private or a call waits for it. The file of a private model
 * replaces the files that vLLM ran.
 */
async function loadStoredFile(
  { vllm, ...context }: Context & { vllm: SafetensorsModels },
  { file, isAwaited }: { file: StoredFile; isAwaited: boolean },
  trx: Database,
): Promise<void> {
  const { model_id, organization_id } = file;
  // Only the row is deleted here. The job `delete orphaned model files` deletes the files later.
  if (organization_id !== null) await vllm.deletePrivate(model_id, organization_id, trx);
  const id = await registerFile(context, file);
  if (id !== null && (isAwaited || organization_id !== null)) await context.host.wake(id);
}

/**
 * Registers the model of a file. Returns its key, or null if the file is missing on this machine and no remote host runs
 * the model.
 */
async function registerFile(context: Context, file: StoredFile): Promise<string | null> {
  const { db, host, folder, settings, isSharedRemote } = context;
  const isHere = await folder.has(file, file.size);
  if (!isHere && !(isSharedRemote && file.organization_id === null)) return null;
  const id = await resolveKey(context, file);
  const path = folder.pathOf(file);
  if (host.find(id)?.file !== path) await host.unregister(id);
  if (file.has_chat_template === false) await tagAsBaseModel(db, id);
  host.register({
    id,
    file: path,
    isElsewhere: !isHere,
    isConverted: file.is_converted,
    fileName: file.file,
    size: file.size,
    contextLength: Math.min(file.context_length ?? DEFAULT_CONTEXT_LENGTH, settings.contextTokens),
    bytesPerToken: file.bytes_per_token,
    bytesPerSequence: file.bytes_per_sequence ?? 0,
    vocabularyBytes: file.vocabulary_bytes ?? 0,
    repository: file.repository,
    revision: file.revision,
    pinned: file.pinned,
  });
  return id;
}

/** Returns the key of the model of a registered file. */
function keyOf({ publicKeys }: Context, { model_id, organization_id }: StoredFile): string {
  return organization_id === null ? (publicKeys.get(model_id) ?? model_id) : privateModelKey(organization_id, model_id);
}

/** Returns the key of the model of a file. A public model that the catalogue lacks is added to it. */
async function resolveKey({ adopt, ownersByKey, publicKeys }: Context, file: StoredFile): Promise<string> {
  const { model_id, organization_id, parameter_size } = file;
  if (organization_id === null) {
    const canonical = await adopt([{ id: model_id, contextLength: null, parameterSize: parameter_size }]);
    const key = canonical.get(model_id) ?? model_id;
    publicKeys.set(model_id, key);
    return key;
  }
  const key = privateModelKey(organization_id, model_id);
  ownersByKey.set(key, organization_id);
  return key;
}

/** Stores when public models were last called, so that the times survive a restart. */
async function recordUse({ storeRepository, registry, publicKeys }: Context): Promise<void> {
  for (const { model_id, organization_id, last_used_at } of await storeRepository.listFiles()) {
    const usedAt = registry.lastAnswerAt(publicKeys.get(model_id) ?? model_id);
    if (organization_id === null && usedAt > (last_used_at?.getTime() ?? 0))
      await storeRepository.recordUse(model_id, new Date(usedAt));
  }
}

/** Tags a model without a curated description as a base model. */
async function tagAsBaseModel(db: Database, key: string): Promise<void> {
  await db
    .updateTable("models")
    .set({ tags: sql<string[]>`array_append(tags, ${BASE_TAG})` })
    .where("id", "=", key)
    .where("source", "in", ["backend", "private"])
    .where(sql<boolean>`not tags && ${[BASE_TAG, "chat"]}::text[]`)
    .execute();
}

async function unregisterModel({ host, ownersByKey }: Context, id: string): Promise<void> {
  ownersByKey.delete(id);
  await host.unregister(id);
}

/** Unregisters models of deleted organizations, and deletes files that no model uses. */
async function deleteOrphans({ vllm, ...context }: Context & { vllm: SafetensorsModels }): Promise<void> {
  const { storeRepository, folder, ownersByKey, clock } = context;
  const files = await storeRepository.listFiles();
  const known = new Set([
    ...files.flatMap(({ organization_id, model_id }) =>
      organization_id === null ? [] : privateModelKey(organization_id, model_id),
    ),
    ...(await vllm.listPrivateKeys()),
  ]);
  for (const id of ownersByKey.keys()) if (!known.has(id)) await unregisterModel(context, id);
  const usedChecksums = new Set(files.map(({ sha256 }) => sha256));
  await folder.deleteUnused({ usedChecksums, paused: await storeRepository.listPaused() }, clock.now());
  await folder.deleteConversions(await storeRepository.listUnfinishedConversions(clock.now()));
  await vllm.deleteOrphans();
}

/**
 * Deletes the rows of a private model's files. The returned function makes the model uncallable and deletes the files that
 * no other model uses. It is called after the transaction is committed.
 */
async function deletePrivateFiles(
  { vllm, ...context }: Context & { vllm: SafetensorsModels },
  { id, organizationId }: { id: string; organizationId: string },
  trx: Database,
): Promise<() => Promise<void>> {
  const { storeRepository, folder } = context;
  const file = await storeRepository.findFile(id, organizationId);
  await storeRepository.deleteFile(id, organizationId, trx);
  const deleteVllmFiles = await vllm.deletePrivate(id, organizationId, trx);
  return async () => {
    await unregisterModel(context, privateModelKey(organizationId, id));
    await deleteVllmFiles();
    if (file && !(await storeRepository.isFileUsed(file.sha256))) await folder.remove(file.sha256);
  };
}

/** Returns the built-in models. They are small, so pinned ones stay loaded, and their first call is answered at once. */
function listBuiltInModels(pinned: boolean): HostedModel[] {
  return BUILT_IN_MODELS.filter(({ file }) => existsSync(file)).map(({ id, file, contextLength, bytesPerToken }) => ({
    id,
    file,
    contextLength,
    bytesPerToken,
    fileName: basename(file),
    size: 0,
    pinned,
  }));
}

/** Returns a share of the memory of this machine, or of the container, in bytes. */
function defaultMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return Math.floor(Math.min(totalmem(), limit > 0 ? limit : Number.POSITIVE_INFINITY) * DEFAULT_MEMORY_SHARE);
}
