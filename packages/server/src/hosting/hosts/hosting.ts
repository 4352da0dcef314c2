import type { Logger } from "pino";
import type { BackendRegistry, EnsureModels } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { PeerClient } from "../../platform/core/peers/peer-client.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import type { Hub } from "../hub/index.ts";
import {
  createRuntimes,
  type EngineSandbox,
  filesOf,
  findRuntime,
  type GgufConverter,
  type HostedModel,
  type IsKnownArchitecture,
  type KnowsArchitecture,
  listRuntimes,
  type ModelFiles,
  type RuntimeLimits,
  type RuntimeProcesses,
  type RuntimeStates,
  type Runtimes,
} from "../runtimes/index.ts";
import {
  checksumOf,
  createFileChecksums,
  createServedFiles,
  createStore,
  createStoreFiles,
  type GetFreeBytes,
  type ReadGgufHeader,
  type SaveHubFacts,
} from "../store/index.ts";
import { toFitLimits } from "./fit/fit-limits.ts";
import { createHostOf } from "./host-of.ts";
import { announceEngines } from "./leader/announce-engines.ts";
import { shareHosting } from "./leader/share-hosting.ts";
import { createLocalHost } from "./local/local-host.ts";
import type { ModelHostSettings } from "./model-host.settings.ts";
import { createModelLookup } from "./model-lookup.ts";
import { listBuiltInModels } from "./registration/built-in-models.ts";
import { createModelDeletion } from "./registration/delete-models.ts";
import { createRegisteredKeys } from "./registration/registered-keys.ts";
import { createModelRegistration } from "./registration/stored-models.ts";
import type { SharedPlace } from "./shared-place.ts";

type Deps = {
  db: Database;
  settings: ModelHostSettings;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  hub: Hub;
  registry: BackendRegistry;
  /** Adds missing models to the catalogue. Returns the canonical id of each. */
  adopt: EnsureModels;
  /** Reads the lists of models of all backends again. */
  refreshBackends(): Promise<void>;
  engineSandbox: EngineSandbox;
  runtimeStates: RuntimeStates;
  runtimeProcesses: RuntimeProcesses;
  readGgufHeader: ReadGgufHeader;
  saveHubFacts: SaveHubFacts;
  converter: GgufConverter;
  sealer: Sealer;
  /** The operator's token for the hub; undefined without one. */
  operatorToken: string | undefined;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** Returns the free space on the disk of a folder, in bytes. Asks the operating system by default. */
  freeBytes?: GetFreeBytes;
  /** The remote host of public models; null if they run on this machine. */
  sharedPlace: SharedPlace | null;
  replicas: Replicas;
  peers: PeerClient;
  /** The token that replicas send to each other's engines. */
  peerToken: string;
};

/**
 * Creates the hosting of models: their files, their memory budget, and the engines that run them, on this machine or on a
 * remote host.
 */
export function createHosting(deps: Deps) {
  const { settings, sharedPlace, adopt } = deps;
  const { contextTokens } = settings;
  const { runtimes, memory, gpuMemory } = createRuntimes({
    ...deps,
    states: deps.runtimeStates,
    processes: deps.runtimeProcesses,
    sandbox: deps.engineSandbox,
  });
  const host = createHost(deps, runtimes);
  const limits = toFitLimits(sharedPlace?.limits ?? runtimes, contextTokens);
  const ownRuntimes: RuntimeLimits = sharedPlace?.getsFiles ? limits.runtimes : runtimes;
  const files = createStoreFiles(deps);
  const keys = createRegisteredKeys(adopt);
  const isSharedRemote = sharedPlace !== null;
  const sharedRuntimes = limits.runtimes;
  const knowsArchitecture = toKnowsArchitecture(runtimes);
  const registered = {
    ...deps,
    host,
    files,
    keys,
    isSharedRemote,
    contextTokens,
    ownRuntimes,
    sharedRuntimes,
    knowsArchitecture,
  };
  const registration = createModelRegistration(registered);
  const deletion = createModelDeletion(registered);
  const store = createStore({
    ...deps,
    files,
    hosted: registration,
    isKnownArchitecture: {
      gguf: toArchitectureCheck(runtimes, "gguf"),
      // A program elsewhere may be of another version, and says when it starts what it does not know.
      safetensors: sharedPlace?.getsFiles ? async () => true : toArchitectureCheck(runtimes, "safetensors"),
    },
    own: toFitLimits(ownRuntimes, contextTokens),
    shared: { ...limits, isRemote: isSharedRemote },
    contextTokens,
    maxStoreGigabytes: settings.maxStoreGigabytes,
  });
  const shared = shareHosting(deps, host, limits);
  const checksums = createFileChecksums({ compute: checksumOf });
  const served = createServedFiles(checksums);
  return {
    ...createModelLookup({ own: host, shared: shared.host, served }),
    ...deletion,
    /** Returns whether the program that a private model needs is available. */
    canRun: (model: HostedModel) => findRuntime(ownRuntimes, model) !== null,
    memory,
    gpuMemory,
    runtimes,
    ...shared,
    folder: files.folder,
    files: files.storeRepository,
    ...store,
    jobs: [
      host.job,
      store.pullRunner.job,
      store.openPulls.job,
      { name: "delete orphaned model files", everySeconds: 60, run: deletion.deleteOrphans },
      { name: "record the use of models", everySeconds: 60, run: registration.recordUse },
    ],

    /** Registers the built-in models and those in the store, and continues downloads. */
    async start(): Promise<void> {
      for (const model of listBuiltInModels(settings.preload && sharedPlace === null)) host.register(model);
      await registration.registerAll();
      host.completeRegistration();
      void store.pullRunner.poll();
      await store.openPulls.refresh();
    },
    async stop(): Promise<void> {
      shared.leaderHosting?.stop();
      checksums.stop();
      await store.pullRunner.stop();
      await host.stop();
    },
  };
}

/** The hosting of models as other modules use it. */
export type Hosting = Omit<ReturnType<typeof createHosting>, "jobs" | "peerAnswers">;

/** Creates the hosts of this process: this machine, and the cluster if one is configured. */
function createHost({ registry, replicas, clock, settings, sharedPlace, log }: Deps, runtimes: Runtimes) {
  const engines = announceEngines(registry, replicas.bus);
  const local = createLocalHost({ runtimes, registry: engines, clock, idleMs: settings.idleSeconds * SECOND_MS, log });
  const cluster = sharedPlace?.createHost(engines) ?? null;
  return createHostOf({ local, cluster, isAllInCluster: sharedPlace?.getsFiles ?? false });
}

/** Returns whether a program that runs models from such files on this machine knows an architecture. */
function toArchitectureCheck(runtimes: Runtimes, files: ModelFiles): IsKnownArchitecture {
  const readers = listRuntimes(runtimes).filter(({ name }) => filesOf({ runtime: name }) === files);
  return async (architecture) => {
    for (const { runtime } of readers) if (await runtime.canRun(architecture)) return true;
    return false;
  };
}

/** Returns whether a program knows an architecture; true for one that is not on this machine. */
function toKnowsArchitecture(runtimes: Runtimes): KnowsArchitecture {
  return async (name, architecture) => (await findRuntime(runtimes, { runtime: name })?.canRun(architecture)) ?? true;
}
