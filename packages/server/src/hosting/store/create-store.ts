import type { Logger } from "pino";
import type { BackendRegistry } from "../../gateway/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import type { Hub, HubModel } from "../hub/index.ts";
import {
  type GgufConverter,
  type IsKnownArchitecture,
  type ModelFiles,
  type RuntimeLimits,
  usesProjectors,
} from "../runtimes/index.ts";
import { createConversionWork } from "./conversions/conversion-work.ts";
import type { ReadGgufHeader } from "./files/gguf-facts.ts";
import { addOllamaModels, createOllamaWork } from "./ollama/ollama-pulls.ts";
import { createOpenPulls } from "./open-pulls.ts";
import { createPullEstimate } from "./pull-estimate.ts";
import { createGgufWork, type GgufDeps } from "./pulls/gguf-pulls.ts";
import { createPullRunner, type PullWork } from "./pulls/pull-runner.ts";
import { type SaveHubFacts, withModelCard } from "./pulls/pulled-card.ts";
import { createRemoteGgufWork } from "./pulls/remote-gguf-work.ts";
import { createStoreQuota, type StoreQuota } from "./quota/store-quota.ts";
import { addRemoteModels, leaveOutRemote, splitWork } from "./remote-store.ts";
import type { StoredModelRow } from "./rows/model-rows.ts";
import type { PullRow } from "./rows/pull-rows.ts";
import { createSafetensorsWork } from "./safetensors/safetensors-downloads.ts";
import { planSafetensors } from "./safetensors/safetensors-plan.ts";
import { addSafetensorsModels } from "./safetensors/safetensors-store.ts";
import { createHubTokens, type HubTokens } from "./sources/hub-tokens.ts";
import { createSourcesRepository } from "./sources/sources.repository.ts";
import { createSources } from "./sources/sources.ts";
import { createModelStore } from "./store.usecases.ts";
import type { StoreFiles } from "./store-files.ts";
import { createStoredModels, type StoredModels } from "./stored-models.ts";

/** What the store asks of the host about stored models. */
type Hosted = {
  /** Returns whether the model is loaded or loading, or waits for memory. */
  isLoaded(model: StoredModelRow): boolean;
  /** Makes the model callable, and loads it if it is pinned. */
  register(model: StoredModelRow): Promise<unknown>;
  /** Unloads the model and makes it uncallable. */
  unregister(model: StoredModelRow): Promise<void>;
  /** Makes a model callable whose download has just ended, in the transaction that ends it. */
  onStored(model: StoredModelRow, pull: PullRow, trx: Database): Promise<void>;
};

/** The models that a place can run: the memory of its runtimes, and the largest GGUF file, in bytes. */
type Place = { runtimes: RuntimeLimits; maxFileBytes: number };

type Deps = {
  db: Database;
  files: StoreFiles;
  hub: Hub;
  /** Seals the tokens for the hub. */
  sealer: Sealer;
  /** The operator's token for the hub; undefined without one. */
  operatorToken: string | undefined;
  registry: Pick<BackendRegistry, "list">;
  /** Reads the lists of models of all backends again. */
  refreshBackends(): Promise<void>;
  /** Returns whether the program that runs private models from such files knows an architecture. */
  isKnownArchitecture: Readonly<Record<ModelFiles, IsKnownArchitecture>>;
  readGgufHeader: ReadGgufHeader;
  saveHubFacts: SaveHubFacts;
  converter: GgufConverter;
  /** The place that runs private models. */
  own: Place;
  /** The place that runs public models. If it is remote, it downloads their files, and they are not stored here. */
  shared: Place & { isRemote: boolean };
  hosted: Hosted;
  /** The largest context that a model gets, in tokens. */
  contextTokens: number;
  /** The space in gigabytes that all files together may use; undefined without a limit. */
  maxStoreGigabytes: number | undefined;
  clock: Clock;
  ids: Ids;
  log: Logger;
};

const BYTES_PER_GIGABYTE = 1e9;

/**
 * Creates the store of models for all runtimes: one list of stored models, one queue of downloads and one quota, for GGUF
 * files, safetensors files, and models that Ollama downloads.
 */
export function createStore(deps: Deps) {
  const { db, files, hub, operatorToken, sealer, registry, clock, ids, log, own, shared, contextTokens } = deps;
  const { storeRepository } = files;
  const tokens = createHubTokens({ db, sealer, operatorToken });
  const storedModels = createStoredModels({ db, ...files, ...deps.hosted });
  const quota = createQuota(deps, storedModels);
  const runner = createPullRunner({ storeRepository, works: createPullWorks(deps, { tokens, quota }), clock, log });
  const sourcesRepository = createSourcesRepository(db, usesProjectors(shared.runtimes));
  const sources = createSources({ hub, tokens, storeRepository, sourcesRepository, clock });
  const { gguf, safetensors } = deps.isKnownArchitecture;
  const storeDeps = { ...deps, ...files, ...own, isKnownArchitecture: gguf, runner, tokens, sources, quota };
  const ownStore = createModelStore(storeDeps);
  const ggufStore = shared.isRemote ? addRemoteModels(ownStore, storeDeps, shared) : ownStore;
  const withOllama = addOllamaModels({ db, registry, storeRepository, runner, clock, ids }, ggufStore);
  const modelStore = addSafetensorsModels({ ...storeDeps, isKnownArchitecture: safetensors }, withOllama);
  const pullEstimate = createPullEstimate(clock);
  const openPulls = createOpenPulls({ storeRepository, estimate: pullEstimate, log });
  const ownPlace = { runtimes: own.runtimes, isKnownArchitecture: safetensors, contextTokens };
  return {
    modelStore: openPulls.addTo(modelStore),
    storedModels,
    openPulls,
    pullEstimate,
    pullRunner: runner,
    sources,
    sourcesRepository,
    planSafetensors: (repository: HubModel) => planSafetensors(ownPlace, repository),
  };
}

function createQuota({ files, shared, maxStoreGigabytes, log }: Deps, storedModels: StoredModels): StoreQuota {
  return createStoreQuota({
    storeRepository: files.storeRepository,
    log,
    storedModels: shared.isRemote ? leaveOutRemote(storedModels) : storedModels,
    maxBytes: maxStoreGigabytes === undefined ? undefined : maxStoreGigabytes * BYTES_PER_GIGABYTE,
  });
}

/** Returns what each kind of download does. */
function createPullWorks(deps: Deps, { tokens, quota }: { tokens: HubTokens; quota: StoreQuota }) {
  const { files, hub, shared, own, hosted, saveHubFacts, log } = deps;
  const withCard = (work: PullWork) => withModelCard(work, { hub, tokens, saveHubFacts, log });
  const { onStored } = hosted;
  const isKnownArchitecture = deps.isKnownArchitecture.gguf;
  const ggufDeps: GgufDeps = { ...deps, ...files, isKnownArchitecture, quota, onStored };
  const ggufWork = createGgufWork(ggufDeps);
  const safetensorsWork = createSafetensorsWork({
    ...deps,
    ...files,
    tokens,
    quota,
    folders: files.safetensorsFolders,
    isSharedRemote: shared.isRemote,
    onStored,
  });
  return {
    gguf: withCard(shared.isRemote ? splitWork(createRemoteGgufWork(ggufDeps), ggufWork) : ggufWork),
    conversion: withCard(
      createConversionWork({ ...ggufDeps, converter: deps.converter, maxFileBytes: own.maxFileBytes }),
    ),
    safetensors: withCard(safetensorsWork),
    ollama: createOllamaWork({ ...deps, ...files }),
  };
}
