import type { Insertable } from "kysely";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { StorePulls } from "../../../platform/core/db/schema.generated.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { PullOutcome, PullRow } from "../rows/pull-rows.ts";
import type { StoreRepository } from "../store.repository.ts";
import type { PullRunner } from "./pull-runner.ts";

type Deps = {
  db: Database;
  storeRepository: Pick<StoreRepository, "start">;
  runner: Pick<PullRunner, "poll">;
  clock: Clock;
  ids: Ids;
};

/** A download to store; its id and times are added. */
export type NewPull = Omit<Insertable<StorePulls>, "id" | "created_at" | "updated_at"> & {
  organization_id: string | null;
};

/** Runs in the transaction that stores the download. */
export type OnPullInserted = (row: PullRow, trx: Database, outcome: PullOutcome) => Promise<void>;

/** Stores a download, or joins the unfinished one of the same files, and starts queued downloads. */
export async function startPull(
  { db, storeRepository, runner, clock, ids }: Deps,
  pull: NewPull,
  onInserted: OnPullInserted,
): Promise<PullRow> {
  const now = clock.now();
  const row = await db.transaction().execute(async (trx) => {
    const newPull = { ...pull, id: ids.next("pull"), created_at: now, updated_at: now };
    const { row: startedRow, outcome } = await storeRepository.start(newPull, now, trx);
    await onInserted(startedRow, trx, outcome);
    return startedRow;
  });
  void runner.poll();
  return row;
}
