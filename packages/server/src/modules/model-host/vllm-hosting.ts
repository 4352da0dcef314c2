import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../core/db/connect.ts";
import type { Ids } from "../../core/ids.ts";
import { privateModelKey } from "../../core/model-keys.ts";
import type { Sealer } from "../../core/sealing.ts";
import type { IsKnownArchitecture } from "../../engine/index.ts";
import type { BackendRegistry, EnsureModels } from "../../gateway/index.ts";
import type { Hub } from "../hub/index.ts";
import {
  type HubTokens,
  isReadFile,
  type ModelStore,
  type PullRunner,
  type PullWork,
  type StoredModels,
  type StoreFolder,
  type StoreQuota,
  type StoreRepository,
} from "../model-store/index.ts";
import type { ModelHost } from "./model-host.ts";
import type { RuntimeLimits } from "./runtimes.ts";
import { createVllmDownloads, type VllmDownloads } from "./vllm-downloads.ts";
import { createVllmModelsRepository, type VllmModelRow, type VllmModelsRepository } from "./vllm-models.repository.ts";
import { readVllmParsers } from "./vllm-parsers.ts";
import { contextLengthOf, planVllm } from "./vllm-plan.ts";
import { addVllmModels } from "./vllm-store.ts";
import { addStoredVllmModels } from "./vllm-stored-models.ts";

type Deps = {
  db: Database;
  hub: Hub;
  tokens: HubTokens;
  sealer: Sealer;
  host: ModelHost;
  /** The programs that run private models. */
  runtimes: RuntimeLimits;
  /** What runs the models that all share, and whether that is elsewhere, so that their files are not here. */
  shared: { runtimes: RuntimeLimits; isRemote: boolean };
  isKnownToVllm: IsKnownArchitecture;
  registry: Pick<BackendRegistry, "lastAnswerAt">;
  adopt: EnsureModels;
  folder: StoreFolder;
  storeRepository: StoreRepository;
  /** Organizations of private models, by the models' keys. */
  ownersByKey: Map<string, string>;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  /** The most tokens of context that models get. */
  contextTokens: number;
  clock: Clock;
  ids: Ids;
};
type Context = Deps & {
  vllmModelsRepository: VllmModelsRepository;
  downloads: VllmDownloads;
  /** Keys of the models that all share, by the id that they were stored for. */
  publicKeys: Map<string, string>;
};

/** Builds the hosting of models that vLLM runs: their files, and what is known of them. */
export function createVllmHosting(deps: Deps) {
  const { db, hub, tokens, sealer, storeRepository, dataDir, clock } = deps;
  const vllmModelsRepository = createVllmModelsRepository(db);
  const downloads = createVllmDownloads({
    ...{ db, hub, tokens, sealer, storeRepository, vllmModelsRepository, clock },
    root: join(dataDir, "models"),
    onStored: (model, trx) => loadStoredModel(context, model, trx),
  });
  const context: Context = { ...deps, vllmModelsRepository, downloads, publicKeys: new Map() };
  const store = {
    ...context,
    keyOf: (model: VllmModelRow) => keyOf(context, model),
    register: (model: VllmModelRow) => registerModel(context, model),
  };
  return {
    ...bind(context, { start: registerAll, recordUse, plan: planVllm, deletePrivate, listPrivateKeys, deleteOrphans }),
    /** Returns the use cases of downloaded models for those of vLLM too. */
    addStoredModels: (storedModels: StoredModels) => addStoredVllmModels(store, storedModels),
    /** Returns the use cases of the model store for models that vLLM runs too. */
    addModelStore: (modelStore: ModelStore, { runner, quota }: { runner: PullRunner; quota: StoreQuota }) =>
      addVllmModels({ ...store, runner, quota }, modelStore),
    /** Returns how the files of models are downloaded. */
    createWork: (quota: StoreQuota) => createWork(context, quota),
  };
}

/** The models that vLLM runs here. */
export type VllmHosting = ReturnType<typeof createVllmHosting>;

function createWork({ vllmModelsRepository, downloads, shared }: Context, quota: StoreQuota): PullWork {
  return async (row, progress, signal) => {
    if (shared.isRemote && row.organization_id === null) return downloads.describe(row, signal);
    const stored = await vllmModelsRepository.find(row.model_id, row.organization_id);
    if (stored?.revision !== row.revision) await quota.makeRoom(row.bytes_total, row.id);
    return downloads.download(row, progress, signal);
  };
}

/** Deletes the row of an organization's model; the returned function deletes its files, once that is stored. */
async function deletePrivate(
  { vllmModelsRepository, downloads }: Context,
  id: string,
  organizationId: string,
  trx: Database,
): Promise<() => Promise<void>> {
  await vllmModelsRepository.delete(id, organizationId, trx);
  return () => downloads.remove({ repository: id, organization_id: organizationId });
}

/** Returns the keys of the organizations' models. */
async function listPrivateKeys({ vllmModelsRepository }: Context): Promise<string[]> {
  const models = await vllmModelsRepository.list();
  return models.flatMap(({ organization_id, model_id }) =>
    organization_id === null ? [] : privateModelKey(organization_id, model_id),
  );
}

/** Deletes the files that no model and no download needs. */
function deleteOrphans({ downloads }: Context): Promise<void> {
  return downloads.deleteUnneeded();
}

/** Registers the models whose files are here. */
async function registerAll(context: Context): Promise<void> {
  for (const model of await context.vllmModelsRepository.list()) await registerModel(context, model);
}

/** Makes a model callable that was downloaded just now. A private one replaces its GGUF file, and is loaded at once. */
async function loadStoredModel(context: Context, model: VllmModelRow, trx: Database): Promise<void> {
  const { storeRepository, host } = context;
  const { model_id, organization_id } = model;
  if (organization_id !== null) await storeRepository.deleteFile(model_id, organization_id, trx);
  const key = await registerModel(context, model);
  if (organization_id !== null) await host.wake(key);
}

/** Makes a model callable and returns its key. */
async function registerModel(context: Context, model: VllmModelRow): Promise<string> {
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

/** Whether only the description of a model is here. */
function isElsewhere({ shared }: Context, { organization_id }: VllmModelRow): boolean {
  return shared.isRemote && organization_id === null;
}

/** Returns the key of a model, and keeps whose it is. One that all share is added to the catalogue if it is not there. */
async function resolveKey({ adopt, ownersByKey, publicKeys }: Context, model: VllmModelRow): Promise<string> {
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
function keyOf({ publicKeys }: Context, { model_id, organization_id }: VllmModelRow): string {
  return organization_id === null ? (publicKeys.get(model_id) ?? model_id) : privateModelKey(organization_id, model_id);
}

/** Stores when models that all share were last called, so that it is known after a restart. */
async function recordUse(context: Context): Promise<void> {
  const { vllmModelsRepository, registry } = context;
  for (const model of await vllmModelsRepository.list()) {
    const usedAt = registry.lastAnswerAt(keyOf(context, model));
    if (model.organization_id === null && usedAt > (model.last_used_at?.getTime() ?? 0))
      await vllmModelsRepository.recordUse(model.model_id, new Date(usedAt));
  }
}
