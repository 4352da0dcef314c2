import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { NewStoredModel, StoredModelRow } from "../rows/model-rows.ts";
import type { PullRow } from "../rows/pull-rows.ts";
import type { StoreRepository } from "../store.repository.ts";

type Deps = {
  db: Database;
  storeRepository: Pick<StoreRepository, "updateRunningPull" | "saveModel">;
  clock: Clock;
  /** Makes the model of complete and verified files callable. */
  onStored(model: StoredModelRow, pull: PullRow, trx: Database): Promise<void>;
};

/** The columns of a new stored model that its download states. */
export function toModelColumns({ model_id, repository, revision, organization_id }: PullRow, now: Date) {
  return { model_id, repository, revision, organization_id, created_at: now };
}

/** Stores the model of a download that is complete. Returns false if the download was canceled or paused meanwhile. */
export function endPull(
  { db, storeRepository, clock, onStored }: Deps,
  row: PullRow,
  model: NewStoredModel,
): Promise<boolean> {
  const ended = {
    state: "done",
    bytes_done: row.bytes_total,
    error: null,
    sealed_token: null,
    lease_until: null,
    conversion_progress: null,
    updated_at: clock.now(),
  };
  return db.transaction().execute(async (trx) => {
    if (!(await storeRepository.updateRunningPull(row.id, ended, trx))) return false;
    // The model is made callable in the transaction that ends the download, before others see it as done.
    await onStored(await storeRepository.saveModel(model, trx), row, trx);
    return true;
  });
}
