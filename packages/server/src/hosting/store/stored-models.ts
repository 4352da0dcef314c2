import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { StoreFolder } from "./files/store-folder.ts";
import type { StoredFile } from "./rows/file-rows.ts";
import type { StoreRepository } from "./store.repository.ts";

type Deps = {
  db: Database;
  storeRepository: StoreRepository;
  folder: StoreFolder;
  /** Returns whether the model of a file is loaded or loading, or waits for memory. */
  isLoaded(file: StoredFile): boolean;
  /** Makes the model of a file callable, and loads it if it is pinned. */
  register(file: StoredFile): Promise<unknown>;
  /** Unloads the model of a public file and makes it uncallable. */
  unregister(file: StoredFile): Promise<void>;
};

/** A complete file, and whether its model is loaded. */
export type StoredModel = StoredFile & { isLoaded: boolean };

/** Use cases of downloaded models: lists, pins and deletes them. */
export function createStoredModels(deps: Deps) {
  return bind(deps, { list: listStoredModels, pin: pinStoredModel, delete: deleteStoredModel, deleteFile });
}

export type StoredModels = ReturnType<typeof createStoredModels>;

/** Returns all downloaded models, the largest files first. */
async function listStoredModels({ storeRepository, isLoaded }: Deps): Promise<StoredModel[]> {
  const files = await storeRepository.listFiles();
  return files.map((file) => ({ ...file, isLoaded: isLoaded(file) })).sort((a, b) => b.size - a.size);
}

/**
 * Pins or unpins a public model and returns it. `onChanged` runs in the same transaction if something changes. Throws
 * `store.model_not_found` if there is no such file.
 */
async function pinStoredModel(
  { db, storeRepository, isLoaded, register }: Deps,
  id: string,
  pinned: boolean,
  onChanged: (file: StoredFile, trx: Database) => Promise<void>,
): Promise<StoredModel> {
  const file = await db.transaction().execute(async (trx) => {
    const before = await storeRepository.findFile(id, null);
    const after = await storeRepository.pinFile(id, pinned, trx);
    if (before && after && before.pinned !== after.pinned) await onChanged(after, trx);
    return after;
  });
  if (!file) throw errors.store.modelNotFound({ model: id });
  await register(file);
  return { ...file, isLoaded: isLoaded(file) };
}

/**
 * Deletes the file of a public model. `onDeleted` runs in the same transaction. Throws `store.model_not_found` if there is
 * no such file, and `store.model_deployed` while a deployment runs the model.
 */
async function deleteStoredModel(
  deps: Deps,
  id: string,
  onDeleted: (file: StoredFile, trx: Database) => Promise<void>,
): Promise<void> {
  const { storeRepository } = deps;
  const file = await storeRepository.findFile(id, null);
  if (!file) throw errors.store.modelNotFound({ model: id });
  const deployed = await storeRepository.listDeployedModels([file.model_id]);
  if (deployed.size > 0) throw errors.store.modelDeployed({ model: file.model_id });
  await deleteFile(deps, file, onDeleted);
}

/** Unloads the model of a public file, and deletes the file unless another model uses it. */
async function deleteFile(
  { db, storeRepository, folder, unregister }: Deps,
  file: StoredFile,
  onDeleted: (file: StoredFile, trx: Database) => Promise<void> = async () => {},
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await storeRepository.deleteFile(file.model_id, null, trx);
    await onDeleted(file, trx);
  });
  await unregister(file);
  if (!(await storeRepository.isFileUsed(file.sha256))) await folder.remove(file.sha256);
}
