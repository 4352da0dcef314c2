import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { StoredModelRow } from "./rows/model-rows.ts";
import type { StoreRepository } from "./store.repository.ts";

type Deps = {
  db: Database;
  storeRepository: StoreRepository;
  /** Deletes the files of a model whose row is deleted, unless another model uses them. */
  removeFiles(model: StoredModelRow): Promise<void>;
  /** Returns whether a model is loaded or loading, or waits for memory. */
  isLoaded(model: StoredModelRow): boolean;
  /** Makes a model callable, and loads it if it is pinned. */
  register(model: StoredModelRow): Promise<unknown>;
  /** Unloads a model and makes it uncallable. */
  unregister(model: StoredModelRow): Promise<void>;
};

/** A model whose files are complete, and whether it is loaded. */
export type StoredModel = StoredModelRow & { isLoaded: boolean };
/** Runs in the transaction that changes a model. */
type OnChanged = (model: StoredModelRow, trx: Database) => Promise<void>;

/** Use cases of downloaded models: lists, pins and deletes them. */
export function createStoredModels(deps: Deps) {
  return bind(deps, { list: listStoredModels, pin: pinStoredModel, delete: deletePublicModel, deleteModel });
}

export type StoredModels = ReturnType<typeof createStoredModels>;

/** Returns all downloaded models, the largest first. */
async function listStoredModels({ storeRepository, isLoaded }: Deps): Promise<StoredModel[]> {
  const models = await storeRepository.listModels();
  return models.map((model) => ({ ...model, isLoaded: isLoaded(model) })).sort((a, b) => b.size - a.size);
}

/**
 * Pins or unpins a public model and returns it. `onChanged` runs in the same transaction if something changes. Throws
 * `store.model_not_found` if there is no such model.
 */
async function pinStoredModel(
  { db, storeRepository, isLoaded, register }: Deps,
  id: string,
  pinned: boolean,
  onChanged: OnChanged,
): Promise<StoredModel> {
  const before = await storeRepository.findModel(id, null);
  if (!before) throw errors.store.modelNotFound({ model: id });
  const model = { ...before, pinned };
  await db.transaction().execute(async (trx) => {
    if (!(await storeRepository.pinModel(model, pinned, trx))) throw errors.store.modelNotFound({ model: id });
    if (before.pinned !== pinned) await onChanged(model, trx);
  });
  await register(model);
  return { ...model, isLoaded: isLoaded(model) };
}

/**
 * Deletes a public model and its files. `onDeleted` runs in the same transaction. Throws `store.model_not_found` if there is
 * no such model, and `store.model_deployed` while a deployment runs its GGUF file.
 */
async function deletePublicModel(deps: Deps, id: string, onDeleted: OnChanged): Promise<void> {
  const { storeRepository } = deps;
  const model = await storeRepository.findModel(id, null);
  if (!model) throw errors.store.modelNotFound({ model: id });
  if (model.files === "gguf") {
    const deployed = await storeRepository.listDeployedModels([model.model_id]);
    if (deployed.size > 0) throw errors.store.modelDeployed({ model: model.model_id });
  }
  await deleteModel(deps, model, onDeleted);
}

/** Unloads a model, and deletes its files unless another model uses them. */
async function deleteModel(
  { db, storeRepository, removeFiles, unregister }: Deps,
  model: StoredModelRow,
  onDeleted: OnChanged = async () => {},
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await storeRepository.deleteModel(model, trx);
    await onDeleted(model, trx);
  });
  await unregister(model);
  await removeFiles(model);
}
