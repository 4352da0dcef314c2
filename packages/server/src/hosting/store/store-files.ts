import { join } from "node:path";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { createStoreFolder, type GetFreeBytes } from "./files/store-folder.ts";
import { createSafetensorsFolders } from "./safetensors/safetensors-folders.ts";
import { createSafetensorsModelsRepository } from "./safetensors/safetensors-models.repository.ts";
import { createStoreRepository } from "./store.repository.ts";

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
  const safetensorsRepository = createSafetensorsModelsRepository(db);
  return {
    folder: createStoreFolder(root, freeBytes),
    storeRepository: createStoreRepository(db),
    safetensorsRepository,
    safetensorsFolders: createSafetensorsFolders({ root, safetensorsRepository, clock }),
  };
}

/** The lists of stored model files and downloads, and the folders of the files. */
export type StoreFiles = ReturnType<typeof createStoreFiles>;
