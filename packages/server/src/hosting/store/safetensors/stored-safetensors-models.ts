import type { Database } from "../../../platform/core/db/connect.ts";
import type { StoredModel, StoredModels } from "../stored-models.ts";
import type { SafetensorsFolders } from "./safetensors-folders.ts";
import type { SafetensorsModelRow, SafetensorsModelsRepository } from "./safetensors-models.repository.ts";

type Deps = {
  db: Database;
  /** Returns whether a model is loaded or loading, or waits for memory. */
  isLoaded(model: SafetensorsModelRow): boolean;
  /** Unloads a model and makes it uncallable. */
  unregister(model: SafetensorsModelRow): Promise<void>;
  safetensorsRepository: SafetensorsModelsRepository;
  folders: Pick<SafetensorsFolders, "remove">;
  /** Makes a model callable, and loads it if it is pinned. */
  register(model: SafetensorsModelRow): Promise<unknown>;
};
type Context = Deps & { storedModels: StoredModels };

/** Returns the use cases of downloaded models, extended by those that vLLM runs. */
export function addStoredSafetensorsModels(deps: Deps, storedModels: StoredModels): StoredModels {
  const context = { ...deps, storedModels };
  return {
    list: () => listStoredModels(context),
    pin: (...input) => pinStoredModel(context, ...input),
    delete: (...input) => deleteStoredModel(context, ...input),
    deleteFile: (...input) => deleteStoredFile(context, ...input),
  };
}

async function listStoredModels(context: Context): Promise<StoredModel[]> {
  const { storedModels, safetensorsRepository } = context;
  const models = (await safetensorsRepository.list()).map((model) => toStoredModel(context, model));
  return [...(await storedModels.list()), ...models].sort((a, b) => b.size - a.size);
}

async function pinStoredModel(
  context: Context,
  ...[id, pinned, onChanged]: Parameters<StoredModels["pin"]>
): Promise<StoredModel> {
  const { db, safetensorsRepository, storedModels, register } = context;
  const before = await safetensorsRepository.find(id, null);
  if (!before) return storedModels.pin(id, pinned, onChanged);
  const model = { ...before, pinned };
  await db.transaction().execute(async (trx) => {
    await safetensorsRepository.save(model, trx);
    if (before.pinned !== pinned) await onChanged(toStoredFile(model), trx);
  });
  await register(model);
  return toStoredModel(context, model);
}

function toStoredModel({ isLoaded }: Context, model: SafetensorsModelRow): StoredModel {
  return { ...toStoredFile(model), isLoaded: isLoaded(model) };
}

async function deleteStoredModel(
  context: Context,
  ...[id, onDeleted]: Parameters<StoredModels["delete"]>
): Promise<void> {
  const model = await context.safetensorsRepository.find(id, null);
  return model ? deleteModel(context, model, onDeleted) : context.storedModels.delete(id, onDeleted);
}

async function deleteStoredFile(
  context: Context,
  ...[file, onDeleted]: Parameters<StoredModels["deleteFile"]>
): Promise<void> {
  const model = await context.safetensorsRepository.find(file.model_id, file.organization_id);
  const isOfVllm = model?.file === file.file && model.revision === file.revision;
  return isOfVllm ? deleteModel(context, model, onDeleted) : context.storedModels.deleteFile(file, onDeleted);
}

async function deleteModel(
  { db, safetensorsRepository, unregister, folders }: Context,
  model: SafetensorsModelRow,
  onDeleted: Parameters<StoredModels["delete"]>[1] = async () => {},
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await safetensorsRepository.delete(model.model_id, model.organization_id, trx);
    await onDeleted(toStoredFile(model), trx);
  });
  await unregister(model);
  await folders.remove(model);
}

/** Returns a model in the form of one with a single file. `toStoredFile` gives it a checksum that is unique to its files. */
function toStoredFile(model: SafetensorsModelRow) {
  const { organization_id, repository, revision } = model;
  const unknown = { architecture: null, has_chat_template: null, bytes_per_sequence: null, vocabulary_bytes: null };
  return { ...model, ...unknown, is_converted: false, sha256: [organization_id ?? "", repository, revision].join("/") };
}
