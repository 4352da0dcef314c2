import { errors } from "../../platform/core/errors/index.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { computeReservedUnits, computeShare, sumCosts } from "./borrowing.ts";
import { runAfterLastWrite, unusedOf } from "./counter.ts";
import { latestTurnOf } from "./priority.ts";
import type { Claim, KnownShortage, Pool, PoolUsers } from "./unit-pools.ts";
import type { BorrowRequest, Loan, UnitsLender } from "./units-lender.ts";

/** The table of loans and the other replicas. */
export type Borrowing = { replicas: Replicas; lender: UnitsLender };

/** The dependencies of borrowing units. */
export type BorrowingContext = Borrowing & {
  users: PoolUsers;
  pools: Map<string, Pool>;
  /** Other replicas' shortages of pools without requests here, by pool and replica. */
  otherShortages: Map<string, Map<string, KnownShortage>>;
  /** The number of times that the lease has lapsed. A response from before the last time is discarded. */
  lapses: number;
  onLapse: Set<() => void>;
};

/** Returns the earliest turn of the waiting requests; null if none has one. */
export function turnOf(claims: readonly Claim[]): number | null {
  const turns = claims.flatMap(({ turn }) => turn ?? []);
  return turns.length === 0 ? null : Math.min(...turns);
}

/** Returns a turn that the first of requests without turns comes before; null if it is not known. */
const latestTurn = ([first]: readonly Claim[]): number | null =>
  first === undefined ? null : latestTurnOf(first.priority);

/**
 * Borrows the units that waiting and running requests lack, counted when `onStart` is called. Throws `storage_unavailable`
 * while the lease is not valid.
 */
export function borrow(context: BorrowingContext, pool: Pool, onStart: () => void): Promise<Loan> {
  const { replicas, lender, lapses } = context;
  return untilLapse(context, () =>
    runAfterLastWrite(pool, async () => {
      if (!replicas.holdsLease() || context.lapses !== lapses) throw errors.storageUnavailable();
      onStart();
      const request = toBorrowRequest(context, pool);
      pool.isRowTooLarge = true; // until a response arrives
      const loan = await lender.borrow(request);
      if (context.lapses !== lapses || replicas.id() !== request.replicaId) throw errors.storageUnavailable();
      pool.borrowed += loan.taken;
      pool.usedByOthers = loan.others;
      pool.isUnchecked = false;
      pool.isRowTooLarge = false;
      reduce(context, pool, Math.min(unusedOf(pool), pool.borrowed + loan.others - pool.limit));
      return loan;
    }),
  );
}

function toBorrowRequest({ replicas, users }: BorrowingContext, pool: Pool): BorrowRequest {
  const { name, limit, borrowed } = pool;
  removeExpired(pool);
  const claims = users.claims(pool);
  const target = pool.used + sumCosts(claims);
  return {
    pool: name,
    replicaId: replicas.id(),
    limit,
    held: borrowed,
    target,
    needed: Math.max(0, Math.min(limit, target) - borrowed),
    share: computeShare(limit, replicas.others().length + 1),
    reserved: computeReservedUnits(pool.shortages.values(), turnOf(claims) ?? latestTurn(claims)),
  };
}

/** Throws `storage_unavailable` as soon as the lease lapses, without waiting for the database. */
function untilLapse<T>({ onLapse }: BorrowingContext, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onLapsed = () => reject(errors.storageUnavailable());
    onLapse.add(onLapsed);
    run()
      .finally(() => onLapse.delete(onLapsed))
      .then(resolve, reject);
  });
}

/** Discards all loans: this replica no longer owns units that it borrowed under its former id. */
export function dropLoans(context: BorrowingContext): void {
  context.lapses += 1;
  for (const pool of context.pools.values()) {
    pool.borrowed = 0;
    pool.lastWrite = Promise.resolve();
    pool.isReturning = false;
    pool.isRowTooLarge = false;
    for (const claim of context.users.claims(pool)) claim.fail(errors.storageUnavailable());
  }
  for (const onLapsed of [...context.onLapse]) onLapsed();
}

/** Removes shortages that other replicas have not repeated in time. */
export function removeExpired({ shortages }: Pick<Pool, "shortages">): void {
  for (const [replica, { expiresAt }] of shortages) if (expiresAt <= performance.now()) shortages.delete(replica);
}

/**
 * Returns the given number of units to the table: they are not granted any more, and the row is written as soon as
 * possible.
 */
export function reduce(context: BorrowingContext, pool: Pool, units: number): void {
  if (units <= 0) return;
  pool.borrowed -= units;
  writeReduced(context, pool);
}

/** Writes the row of a pool again, with the units that this replica may still use. */
export function writeReduced(context: BorrowingContext, pool: Pool): void {
  const { replicas, lender, lapses } = context;
  if (pool.isReturning) return;
  pool.isReturning = true;
  const { name } = pool;
  runAfterLastWrite(pool, async () => {
    if (context.lapses !== lapses) return;
    pool.isReturning = false;
    pool.isRowTooLarge = true;
    await lender.reduce({ pool: name, replicaId: replicas.id(), units: pool.borrowed });
    if (context.lapses !== lapses) return;
    pool.isRowTooLarge = false;
    replicas.bus.publish("units-returned", { pool: name });
  }).catch(() => {}); // the next tick writes it again
}
