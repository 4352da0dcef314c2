import { sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import { lockBriefly } from "../../platform/core/db/brief-lock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { isForeignKeyViolation } from "../../platform/core/db/errors.ts";
import { LOCKS } from "../../platform/core/db/locks.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { type BorrowInput, computeUnitsToBorrow } from "./borrowing.ts";

/** A replica's request to borrow units of a pool. */
export type BorrowRequest = Omit<BorrowInput, "others"> & {
  pool: string;
  replicaId: string;
  /** The units with which it could start all its requests. With fewer, the requests get a turn. */
  target: number;
};

/** The result of a loan. */
export type Loan = {
  taken: number;
  /** Units that the other replicas have borrowed. */
  others: number;
  /** The position of its waiting requests in the order of all replicas; null if it got all needed units. */
  turn: number | null;
};

/** The table of borrowed units: the sum of a pool never exceeds its limit. */
export type UnitsLender = {
  /** Borrows units. Throws `storage_unavailable` when the replica's lease has ended. */
  borrow(request: BorrowRequest): Promise<Loan>;
  /** Reduces a replica's loan from a pool to the given number of units. */
  reduce(loan: { pool: string; replicaId: string; units: number }): Promise<void>;
  /** Returns all units that a replica has borrowed. */
  returnAll(replicaId: string): Promise<void>;
  /** Returns the units of a pool that replicas other than these have borrowed. */
  readOthers(pool: string, withoutIds: readonly string[]): Promise<number>;
};

/** Creates the access to the table of borrowed units. */
export function createUnitsLender(db: Database): UnitsLender {
  return bind(db, { borrow, reduce, returnAll, readOthers });
}

async function borrow(db: Database, request: BorrowRequest): Promise<Loan> {
  const { pool, replicaId, held, target } = request;
  try {
    return await db.transaction().execute(async (trx) => {
      await lockBriefly(trx, LOCKS.units, pool);
      const others = await readOthers(trx, pool, [replicaId]);
      const taken = computeUnitsToBorrow({ ...request, others });
      await write(trx, { pool, replicaId, units: held + taken });
      return { taken, others, turn: held + taken < target ? await takeTurn(trx) : null };
    });
  } catch (error) {
    if (isForeignKeyViolation(error)) throw errors.storageUnavailable({ cause: error }); // others deleted this replica
    throw error;
  }
}

async function reduce(db: Database, loan: { pool: string; replicaId: string; units: number }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The lock waits for an earlier transaction of this replica whose result it has not received.
    await lockBriefly(trx, LOCKS.units, loan.pool);
    const row = trx.updateTable("borrowed_units").set({ units: loan.units }).where("units", ">", loan.units);
    if (loan.units === 0) await deleteLoan(trx, loan);
    else await row.where("pool", "=", loan.pool).where("replica_id", "=", loan.replicaId).execute();
  });
}

async function returnAll(db: Database, replicaId: string): Promise<void> {
  await db.deleteFrom("borrowed_units").where("replica_id", "=", replicaId).execute();
}

async function readOthers(db: Database, pool: string, withoutIds: readonly string[]): Promise<number> {
  const { units } = await db
    .selectFrom("borrowed_units")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>("units"), sql<string>`0`).as("units"))
    .where("pool", "=", pool)
    .where("replica_id", "not in", withoutIds)
    .executeTakeFirstOrThrow();
  return Number(units);
}

async function write(trx: Database, loan: { pool: string; replicaId: string; units: number }): Promise<void> {
  const { pool, replicaId, units } = loan;
  if (units === 0) return deleteLoan(trx, loan);
  await trx
    .insertInto("borrowed_units")
    .values({ pool, replica_id: replicaId, units })
    .onConflict((conflict) => conflict.columns(["pool", "replica_id"]).doUpdateSet({ units }))
    .execute();
}

async function deleteLoan(trx: Database, { pool, replicaId }: { pool: string; replicaId: string }): Promise<void> {
  await trx.deleteFrom("borrowed_units").where("pool", "=", pool).where("replica_id", "=", replicaId).execute();
}

async function takeTurn(trx: Database): Promise<number> {
  const { rows } = await sql<{ turn: number }>`select nextval('unit_turns') as turn`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error("The database returned no turn.");
  return row.turn;
}
