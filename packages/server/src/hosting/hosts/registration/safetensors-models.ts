import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BackendRegistry, EnsureModels } from "../../../gateway/index.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { privateModelKey } from "../../../platform/core/models/model-keys.ts";
import type { Sealer } from "../../../platform/core/secrets/sealing.ts";
import type { Hub } from "../../hub/index.ts";
import type { IsKnownArchitecture } from "../../runtimes/index.ts";
import { type RuntimeLimits, readVllmParsers } from "../../runtimes/index.ts";
import {
  addSafetensorsModels,
  addStoredSafetensorsModels,
  contextLengthOf,
  createSafetensorsDownloads,
  createSafetensorsModelsRepository,
  type HubTokens,
  isReadFile,
  type ModelStore,
  type PullRunner,
  type PullWork,
  planSafetensors,
  type SafetensorsDownloads,
  type SafetensorsModelRow,
  type SafetensorsModelsRepository,
  type StoredModels,
  type StoreFolder,
  type StoreQuota,
  type StoreRepository,
} from "../../store/index.ts";
import type { ModelHost } from "../host.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  sealer: Sealer;
  host: ModelHost;
  /** The memory of the programs that run private models. */
  runtimes: RuntimeLimits;
  /**
   * The memory of the programs that run public models. `isRemote` says that a remote host runs them, so that their files
   * are not stored here.
   */
  shared: { runtimes: RuntimeLimits; isRemote: boolean };
  isKnownToVllm: IsKnownArchitecture;
  registry: Pick<BackendRegistry, "lastAnswerAt">;
  adopt: EnsureModels;
  folder: StoreFolder;
  storeRepository: StoreRepository;
  /** The organizations of private models, by the keys of the models. */
  ownersByKey: Map<string, string>;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  /** The largest context that a model gets, in tokens. */
  contextTokens: number;
  clock: Clock;
  ids: Ids;
};
type Context = Deps & {
  safetensorsRepository: SafetensorsModelsRepository;
  downloads: SafetensorsDownloads;
  /** The keys of public models, by the model id in their rows. */
  publicKeys: Map<string, string>;
};

/** Creates the hosting of models that vLLM runs: their files, their downloads and their use cases. */
export function createSafetensorsModels(deps: Deps) {
  const { db, hub, tokens, sealer, storeRepository, dataDir, clock } = deps;
  const safetensorsRepository = createSafetensorsModelsRepository(db);
  const downloads = createSafetensorsDownloads({
    db,
    hub,
    tokens,
    sealer,
    storeRepository,
    safetensorsRepository,
    clock,
    root: join(dataDir, "models"),
    onStored: (model, trx) => loadStoredModel(context, model, trx),
  });
  const context: Context = { ...deps, safetensorsRepository, downloads, publicKeys: new Map() };
  const store = {
    ...context,
    keyOf: (model: SafetensorsModelRow) => keyOf(context, model),
    register: (model: SafetensorsModelRow) => registerModel(context, model),
  };
  return {
    ...bind(context, {
      start: registerAll,
      recordUse,
      plan: planSafetensors,
      deletePrivate,
      listPrivateKeys,
      deleteOrphans,
    }),
    /** Returns the use cases of downloaded models, extended by those that vLLM runs. */
    addStoredModels: (storedModels: StoredModels) => addStoredSafetensorsModels(store, storedModels),
    /** Returns the use cases of the model store, extended by models that vLLM runs. */
    addModelStore: (modelStore: ModelStore, { runner, quota }: { runner: PullRunner; quota: StoreQuota }) =>
      addSafetensorsModels({ ...store, runner, quota }, modelStore),
    /** Returns the work that downloads the files of a model. */
    createWork: (quota: StoreQuota) => createWork(context, quota),
  };
}

/** The hosting of models that vLLM runs. */
export type SafetensorsModels = ReturnType<typeof createSafetensorsModels>;

function createWork({ safetensorsRepository, downloads, shared }: Context, quota: StoreQuota): PullWork {
  return async (row, progress, signal) => {
    if (shared.isRemote && row.organization_id === null) return downloads.describe(row, signal);
    const stored = await safetensorsRepository.find(row.model_id, row.organization_id);
    if (stored?.revision !== row.revision) await quota.makeRoom(row.bytes_total, row.id);
    return downloads.download(row, progress, signal);
  };
}

/**
 * Deletes the row of a private model. The returned function deletes its files, and is called after the transaction is
 * committed.
 */
async function deletePrivate(
  { safetensorsRepository, downloads }: Context,
  id: string,
  organizationId: string,
  trx: Database,
): Promise<() => Promise<void>> {
  await safetensorsRepository.delete(id, organizationId, trx);
  return () => downloads.remove({ repository: id, organization_id: organizationId });
}

/** Returns the keys of the organizations' models. */
async function listPrivateKeys({ safetensorsRepository }: Context): Promise<string[]> {
  const models = await safetensorsRepository.list();
  return models.flatMap(({ organization_id, model_id }) =>
    organization_id === null ? [] : privateModelKey(organization_id, model_id),
  );
}

/** Deletes the files that no model and no download needs. */
function deleteOrphans({ downloads }: Context): Promise<void> {
  return downloads.deleteUnneeded();
}

/** Registers the models whose files are stored. */
async function registerAll(context: Context): Promise<void> {
  for (const model of await context.safetensorsRepository.list()) await registerModel(context, model);
}

/** Makes a model callable whose download has just ended. A private one replaces its GGUF file and is loaded at once. */
async function loadStoredModel(context: Context, model: SafetensorsModelRow, trx: Database): Promise<void> {
  const { storeRepository, host } = context;
  const { model_id, organization_id } = model;
  if (organization_id !== null) await storeRepository.deleteFile(model_id, organization_id, trx);
  const key = await registerModel(context, model);
  if (organization_id !== null) await host.wake(key);
}

/** Makes a model callable and returns its key. */
async function registerModel(context: Context, model: SafetensorsModelRow): Promise<string> {
  const { host, downloads, contextTokens } = context;
  const key = await resolveKey(context, model);
  const file = downloads.folderOf(model);
  if (host.find(key)?.file !== file) await host.unregister(key);
  host.register({
    id: key,
    runtime: "vllm",
    file,
    fileName: model.file,
    size: model.size,
    contextLength: contextLengthOf(model.context_length, contextTokens),
    bytesPerToken: model.bytes_per_token,
    revision: model.revision,
    pinned: model.pinned,
    folderFiles: await listReadFiles(file),
    isElsewhere: isElsewhere(context, model),
    ...(await readVllmParsers(model.repository, file)),
  });
  return key;
}

/** Returns the names of the files in a folder from which a model is read. */
async function listReadFiles(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter(isReadFile).sort();
}

/** Returns whether a remote host runs the model, so that only its description is stored here. */
function isElsewhere({ shared }: Context, { organization_id }: SafetensorsModelRow): boolean {
  return shared.isRemote && organization_id === null;
}

/**
 * Returns the key of a model and records its organization in `ownersByKey`. A public model that the catalogue lacks is
 * added to it.
 */
async function resolveKey({ adopt, ownersByKey, publicKeys }: Context, model: SafetensorsModelRow): Promise<string> {
  const { model_id: id, organization_id, context_length: contextLength, parameter_size: parameterSize } = model;
  if (organization_id !== null) {
    const key = privateModelKey(organization_id, id);
    ownersByKey.set(key, organization_id);
    return key;
  }
  const canonical = await adopt([{ id, contextLength, parameterSize }]);
  const key = canonical.get(id) ?? id;
  publicKeys.set(id, key);
  return key;
}

/** Returns the key of a registered model. */
function keyOf({ publicKeys }: Context, { model_id, organization_id }: SafetensorsModelRow): string {
  return organization_id === null ? (publicKeys.get(model_id) ?? model_id) : privateModelKey(organization_id, model_id);
}

/** Stores when public models were last called, so that the times survive a restart. */
async function recordUse(context: Context): Promise<void> {
  const { safetensorsRepository, registry } = context;
  for (const model of await safetensorsRepository.list()) {
    const usedAt = registry.lastAnswerAt(keyOf(context, model));
    if (model.organization_id === null && usedAt > (model.last_used_at?.getTime() ?? 0))
      await safetensorsRepository.recordUse(model.model_id, new Date(usedAt));
  }
}
