import { sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import { lockBriefly } from "../../platform/core/db/brief-lock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";
import { computeFreeInMs } from "./model-switches.ts";

/** A model that a replica calls for an organization. */
export type SwitchRow = { organizationId: string; model: string; replicaId: string };

/** The table of the models that organizations have called in the last minute, by the clock of the database. */
export type ModelSwitchTable = {
  /**
   * Allows a replica to call a model for `holdMs`, and returns null. If the limit does not permit one more model, returns the
   * milliseconds until it does.
   */
  take(row: SwitchRow, limit: number, holdMs: number): Promise<number | null>;
  /** Returns the result that `take` would have now. Records nothing. */
  read(organizationId: string, model: string, limit: number): Promise<number | null>;
  /** Stores how long ago a replica last called a model, in milliseconds; null if it has not called it. */
  release(row: SwitchRow, lastCallMsAgo: number | null): Promise<void>;
};

/** Creates the access to the table of called models. */
export function createModelSwitchTable(db: Database): ModelSwitchTable {
  return bind(db, { take, read, release });
}

async function take(db: Database, row: SwitchRow, limit: number, holdMs: number): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    await lockBriefly(trx, LOCKS.modelSwitches, row.organizationId);
    await trx
      .deleteFrom("model_switches")
      .where("organization_id", "=", row.organizationId)
      .where("free_at", "<=", sql<Date>`clock_timestamp()`)
      .execute();
    const freeInMs = await read(trx, row.organizationId, row.model, limit);
    if (freeInMs === null) await write(trx, row, holdMs);
    return freeInMs;
  });
}

async function read(db: Database, organizationId: string, model: string, limit: number): Promise<number | null> {
  const rows = await db
    .selectFrom("model_switches")
    .select([
      "model",
      sql<number>`extract(epoch from max(free_at) - clock_timestamp())::float8 * 1000`.as("free_in_ms"),
    ])
    .where("organization_id", "=", organizationId)
    .where("free_at", ">", sql<Date>`clock_timestamp()`)
    .groupBy("model")
    .execute();
  return computeFreeInMs(new Map(rows.map((row) => [row.model, row.free_in_ms])), model, limit, 0);
}

async function write(trx: Database, { organizationId, model, replicaId }: SwitchRow, holdMs: number): Promise<void> {
  const freeAt = sql<Date>`clock_timestamp() + ${holdMs + MINUTE_MS}::float8 * interval '1 millisecond'`;
  await trx
    .insertInto("model_switches")
    .values({ organization_id: organizationId, model, replica_id: replicaId, free_at: freeAt })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "model", "replica_id"]).doUpdateSet({ free_at: freeAt }),
    )
    .execute();
}

async function release(db: Database, row: SwitchRow, lastCallMsAgo: number | null): Promise<void> {
  const isRow = { organization_id: row.organizationId, model: row.model, replica_id: row.replicaId };
  await db.transaction().execute(async (trx) => {
    // The lock waits for an earlier transaction of this replica whose result it has not received.
    await lockBriefly(trx, LOCKS.modelSwitches, row.organizationId);
    if (lastCallMsAgo === null)
      return void (await trx
        .deleteFrom("model_switches")
        .where((eb) => eb.and(isRow))
        .execute());
    const freeAt = sql<Date>`clock_timestamp() + ${MINUTE_MS - lastCallMsAgo}::float8 * interval '1 millisecond'`;
    await trx
      .updateTable("model_switches")
      .set({ free_at: freeAt })
      .where((eb) => eb.and(isRow))
      .execute();
  });
}
