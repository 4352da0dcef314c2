import { readdir } from "node:fs/promises";
import type { BackendRegistry } from "../../../gateway/index.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { type RuntimeLimits, runtimeForFiles, runtimeOf } from "../../runtimes/index.ts";
import { contextLengthOf, isReadFile, type SafetensorsModelRow, type StoreFiles } from "../../store/index.ts";
import type { ModelHost } from "../host.ts";
import type { RegisteredKeys } from "./registered-keys.ts";

type Deps = {
  host: ModelHost;
  files: StoreFiles;
  keys: RegisteredKeys;
  registry: Pick<BackendRegistry, "lastAnswerAt">;
  /** The programs that run private models, and those that run public ones. */
  ownRuntimes: RuntimeLimits;
  sharedRuntimes: RuntimeLimits;
  /** Whether public models run on a remote host, so that this machine stores only their descriptions. */
  isSharedRemote: boolean;
  /** The largest context that a model gets, in tokens. */
  contextTokens: number;
};

/** Creates the registration of models in safetensors files, which vLLM runs, with the host that runs them. */
export function createSafetensorsModels(deps: Deps) {
  const { host, keys } = deps;
  return {
    ...bind(deps, { registerAll, register: registerModel, onStored: loadStoredModel, recordUse }),
    isLoaded: (model: SafetensorsModelRow) => host.isLoaded(keys.of(model)),
    unregister: (model: SafetensorsModelRow) => host.unregister(keys.of(model)),
  };
}

/** Registers the models whose files are stored. */
async function registerAll(deps: Deps): Promise<void> {
  for (const model of await deps.files.safetensorsRepository.list()) await registerModel(deps, model);
}

/** Makes a model callable whose download has just ended. A private one replaces its GGUF file and is loaded at once. */
async function loadStoredModel(deps: Deps, model: SafetensorsModelRow, trx: Database): Promise<void> {
  const { files, host } = deps;
  const { model_id, organization_id } = model;
  if (organization_id !== null) await files.storeRepository.deleteFile(model_id, organization_id, trx);
  const key = await registerModel(deps, model);
  if (organization_id !== null) await host.wake(key);
}

/** Makes a model callable and returns its key. */
async function registerModel(deps: Deps, model: SafetensorsModelRow): Promise<string> {
  const { host, keys, files, contextTokens, isSharedRemote, ownRuntimes, sharedRuntimes } = deps;
  const runtime = runtimeForFiles(model.organization_id === null ? sharedRuntimes : ownRuntimes, "safetensors");
  const key = await keys.resolve(model, model.context_length);
  const file = files.safetensorsFolders.folderOf(model);
  if (host.find(key)?.file !== file) await host.unregister(key);
  host.register({
    id: key,
    runtime,
    file,
    fileName: model.file,
    size: model.size,
    contextLength: contextLengthOf(model.context_length, contextTokens),
    bytesPerToken: model.bytes_per_token,
    revision: model.revision,
    pinned: model.pinned,
    folderFiles: await listReadFiles(file),
    isElsewhere: isSharedRemote && model.organization_id === null,
    ...(await runtimeOf({ runtime }).readParsers(model.repository, file)),
  });
  return key;
}

/** Returns the names of the files in a folder from which a model is read. */
async function listReadFiles(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter(isReadFile).sort();
}

/** Stores when public models were last called, so that the times survive a restart. */
async function recordUse({ files: { safetensorsRepository }, registry, keys }: Deps): Promise<void> {
  for (const model of await safetensorsRepository.list()) {
    const usedAt = registry.lastAnswerAt(keys.of(model));
    if (model.organization_id === null && usedAt > (model.last_used_at?.getTime() ?? 0))
      await safetensorsRepository.recordUse(model.model_id, new Date(usedAt));
  }
}
