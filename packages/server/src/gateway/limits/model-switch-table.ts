import { sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import { lockBriefly } from "../../platform/core/db/brief-lock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import { MINUTE_MS } from "../../platform/core/time.ts";

/** A model that a replica calls for an organization. */
export type SwitchRow = { organizationId: string; model: string; replicaId: string };

/** Whether a model may be called; if not, when the oldest of the counted models is free again. */
export type SwitchAnswer = { isGranted: true } | { isGranted: false; freeInMs: number };

/** The table of the models that organizations have called in the last minute, by the clock of the database. */
export type ModelSwitchTable = {
  /** Allows a replica to call a model for `holdMs`, if the limit permits one more model. */
  take(row: SwitchRow, limit: number, holdMs: number): Promise<SwitchAnswer>;
  /** Returns the result that `take` would have now. Records nothing. */
  read(organizationId: string, model: string, limit: number): Promise<SwitchAnswer>;
  /** Stores how long ago a replica last called a model, in milliseconds; null if it has not called it. */
  release(row: SwitchRow, lastCallMsAgo: number | null): Promise<void>;
};

/** Creates the access to the table of called models. */
export function createModelSwitchTable(db: Database): ModelSwitchTable {
  return bind(db, { take, read, release });
}

async function take(db: Database, row: SwitchRow, limit: number, holdMs: number): Promise<SwitchAnswer> {
  return db.transaction().execute(async (trx) => {
    await lock(trx, row.organizationId);
    await trx
      .deleteFrom("model_switches")
      .where("organization_id", "=", row.organizationId)
      .where("free_at", "<=", sql<Date>`clock_timestamp()`)
      .execute();
    const answer = await read(trx, row.organizationId, row.model, limit);
    if (answer.isGranted) await write(trx, row, holdMs);
    return answer;
  });
}

async function read(db: Database, organizationId: string, model: string, limit: number): Promise<SwitchAnswer> {
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
  if (rows.length < limit || rows.some((row) => row.model === model)) return { isGranted: true };
  const freeInMs = Math.min(MINUTE_MS, ...rows.map((row) => row.free_in_ms));
  return { isGranted: false, freeInMs: rows.length === 0 ? 0 : freeInMs };
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
    await lock(trx, row.organizationId);
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

async function lock(trx: Database, organizationId: string): Promise<void> {
  await lockBriefly(trx, LOCKS.modelSwitches, organizationId);
}
