import { join } from "node:path";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createStoreFolder, type GetFreeBytes, type StoreFolder } from "./files/store-folder.ts";
import { listStoredFiles, projectorOf, type StoredModelRow } from "./rows/model-rows.ts";
import { createSafetensorsFolders, type SafetensorsFolders } from "./safetensors/safetensors-folders.ts";
import { createStoreRepository, type StoreRepository } from "./store.repository.ts";

type Deps = {
  db: Database;
  /** The folder in which the server keeps its data. */
  dataDir: string;
  clock: Clock;
  /** Returns the free space on the disk of a folder, in bytes. Asks the operating system by default. */
  freeBytes?: GetFreeBytes;
};

/** Creates the lists of stored model files and downloads, and the folders of the files: GGUF files and safetensors files. */
export function createStoreFiles({ db, dataDir, clock, freeBytes }: Deps) {
  const root = join(dataDir, "models");
  const storeRepository = createStoreRepository(db);
  const folder = createStoreFolder(root, freeBytes);
  const safetensorsFolders = createSafetensorsFolders({ root, storeRepository, clock });
  return {
    folder,
    storeRepository,
    safetensorsFolders,
    ...bind({ folder, storeRepository, safetensorsFolders }, { pathOf, findProjector, removeFiles }),
  };
}

/** The lists of stored model files and downloads, and the folders of the files. */
export type StoreFiles = ReturnType<typeof createStoreFiles>;

type Folders = { folder: StoreFolder; storeRepository: StoreRepository; safetensorsFolders: SafetensorsFolders };

/** Returns the path from which a model is loaded: of its file, or of the folder with its files. */
function pathOf({ folder, safetensorsFolders }: Folders, model: StoredModelRow): string {
  return model.files === "gguf" ? folder.pathOf(model) : safetensorsFolders.folderOf(model);
}

/** Returns the path of a model's projector file; null if the model has none or the file is not on this machine. */
async function findProjector({ folder }: Folders, model: StoredModelRow): Promise<string | null> {
  const projector = projectorOf(model);
  return projector !== null && (await folder.has(projector, projector.size)) ? folder.pathOf(projector) : null;
}

/** Deletes the files of a model whose row is deleted, unless another model uses them. */
async function removeFiles(
  { folder, storeRepository, safetensorsFolders }: Folders,
  model: StoredModelRow,
): Promise<void> {
  if (model.files === "safetensors") return safetensorsFolders.remove(model);
  for (const { sha256 } of listStoredFiles(model))
    if (!(await storeRepository.isFileUsed(sha256))) await folder.remove(sha256);
}
