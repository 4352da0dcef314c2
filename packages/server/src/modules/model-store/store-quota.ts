import type { Database } from "../../core/db/connect.ts";
import { chooseDeletions } from "./quota.ts";
import { quotaFull } from "./store.errors.ts";
import type { StoredFile, StoreRepository } from "./store.repository.ts";
import type { StoreFolder } from "./store-folder.ts";

type Deps = {
  db: Database;
  storeRepository: StoreRepository;
  folder: StoreFolder;
  /** Bytes that all model files together may take; undefined for no limit. */
  maxBytes: number | undefined;
  /** Whether the model of a file for everybody is loaded, loading, or waits for memory. */
  isLoaded(modelId: string): boolean;
  /** Unloads the model of a file for everybody and makes it uncallable. */
  unregister(modelId: string): Promise<void>;
};

/** Holds the limit on the space of model files. */
export type StoreQuota = {
  /** Throws `store.quota_full` if a file of this many bytes has no room, whatever is deleted. */
  check(size: number): Promise<void>;
  /** Deletes the least recently used models until a file of this many bytes fits. Throws `store.quota_full`. */
  makeRoom(size: number, pullId: string): Promise<void>;
};

/** Creates the limit on the space of model files. */
export function createStoreQuota(deps: Deps): StoreQuota {
  const { maxBytes } = deps;
  if (maxBytes === undefined) return { check: async () => {}, makeRoom: async () => {} };
  return {
    async check(size) {
      if ((await findDeletions(deps, size, maxBytes, null)) === null) throw quotaFull(size, maxBytes);
    },
    async makeRoom(size, pullId) {
      const files = await findDeletions(deps, size, maxBytes, pullId);
      if (files === null) throw quotaFull(size, maxBytes);
      for (const file of files) await deleteModelFile(deps, file);
    },
  };
}

/** Returns the files to delete; null if a file of `size` bytes has no room. Other running downloads count with their size. */
async function findDeletions(deps: Deps, size: number, maxBytes: number, pullId: string | null) {
  const { storeRepository, isLoaded } = deps;
  const files = await storeRepository.listFiles();
  const [deployed, runningBytes] = await Promise.all([
    storeRepository.listDeployedModels(files.map(({ model_id }) => model_id)),
    pullId === null ? 0 : storeRepository.sumRunningBytes(pullId),
  ]);
  const candidates = files.map((file) => ({
    ...file,
    lastUsedAt: file.last_used_at ?? file.created_at,
    isDeletable:
      file.organization_id === null && !isLoaded(file.model_id) && !deployed.has(file.model_id.toLowerCase()),
  }));
  return chooseDeletions(candidates, size + runningBytes, maxBytes);
}

async function deleteModelFile({ db, storeRepository, folder, unregister }: Deps, file: StoredFile): Promise<void> {
  await storeRepository.deleteFile(file.model_id, null, db);
  await unregister(file.model_id);
  if (!(await storeRepository.isFileUsed(file.sha256))) await folder.remove(file.sha256);
}
