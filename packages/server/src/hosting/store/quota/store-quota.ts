import type { Logger } from "pino";
import { quotaFull } from "../store.errors.ts";
import type { StoreRepository } from "../store.repository.ts";
import type { StoredModel, StoredModels } from "../stored-models.ts";
import { chooseDeletions } from "./quota.ts";

type Deps = {
  log: Pick<Logger, "info">;
  storeRepository: StoreRepository;
  storedModels: StoredModels;
  /** The space in bytes that all model files together may use; undefined without a limit. */
  maxBytes: number | undefined;
};

/** Enforces the limit on the space of model files. */
export type StoreQuota = {
  /**
   * Throws `store.quota_full` if a file of this many bytes does not fit even after everything that may be deleted is
   * deleted.
   */
  check(size: number): Promise<void>;
  /**
   * Deletes the least recently used models until a file of this many bytes fits. Throws `store.quota_full` if it cannot
   * fit.
   */
  makeRoom(size: number, pullId: string): Promise<void>;
};

/** Creates the limit on the space of model files. */
export function createStoreQuota(deps: Deps): StoreQuota {
  const { storedModels, maxBytes, log } = deps;
  if (maxBytes === undefined) return { check: async () => {}, makeRoom: async () => {} };
  return {
    async check(size) {
      if ((await findDeletions(deps, size, maxBytes, null)) === null) throw quotaFull(size, maxBytes);
    },
    async makeRoom(size, pullId) {
      const files = await findDeletions(deps, size, maxBytes, pullId);
      if (files === null) throw quotaFull(size, maxBytes);
      for (const file of files) {
        await storedModels.deleteModel(file);
        log.info(
          { model: file.model_id, bytes: file.size, pull: pullId },
          "a model was deleted to make room for another",
        );
      }
    },
  };
}

/** Returns whether a model may be deleted: it is public, not pinned and not in memory. */
const isUnused = ({ organization_id, pinned, isLoaded }: StoredModel): boolean =>
  organization_id === null && !pinned && !isLoaded;

/**
 * Returns the files to delete so that a file of `size` bytes fits; null if it cannot fit. Other running downloads count
 * with their size.
 */
async function findDeletions(
  { storeRepository, storedModels }: Deps,
  size: number,
  maxBytes: number,
  pullId: string | null,
) {
  const files = await storedModels.list();
  const [deployed, runningBytes] = await Promise.all([
    storeRepository.listDeployedModels(files.map(({ model_id }) => model_id)),
    pullId === null ? 0 : storeRepository.sumRunningBytes(pullId),
  ]);
  const candidates = files.map((file) => ({
    ...file,
    lastUsedAt: file.last_used_at ?? file.created_at,
    isDeletable: isUnused(file) && !deployed.has(file.model_id.toLowerCase()),
  }));
  return chooseDeletions(candidates, size + runningBytes, maxBytes);
}
