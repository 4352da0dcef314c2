import { bind } from "../../core/bind.ts";
import { errors } from "../../core/errors/index.ts";
import type { Replicas } from "../../core/replicas/replicas.ts";
import { computeReservedUnits, computeShare, computeUnitsToReturn, sumCosts, type Wish } from "./borrowing.ts";
import type { SharedLimit } from "./shared-limit.ts";
import type { Claim, PoolId, PoolUsers, UnitPools } from "./unit-pools.ts";
import type { BorrowRequest, Loan, UnitsLender } from "./units-lender.ts";
import { readUnitsReturned, readUnitsWanted } from "./units-messages.ts";

/** Requests that came while units were wanted already are asked for after this time. */
const NEXT_ATTEMPT_MS = 25;
/** Waiting requests ask again after this time, because messages may be lost. */
const REPEAT_MS = 500;
/** A wish of another replica is remembered for this long; replicas repeat theirs. */
const WISH_MS = 1_000;
/** A pool without a request for so many ticks is given back: 10 s. */
const IDLE_TICKS = 5;

/** Where units are borrowed, and what is known of the other replicas. */
export type Borrowing = { replicas: Replicas; lender: UnitsLender };

type RememberedWish = Wish & { expiresAt: number };
type Pool = {
  id: PoolId;
  limit: number;
  /** Units that this replica may use: never more than its row says. */
  borrowed: number;
  usedByOthers: number;
  /** Whether `borrowed` has to be compared with a limit that was lowered before anything is granted. */
  isUnchecked: boolean;
  /** What other replicas lack, by replica. */
  wishes: Map<string, RememberedWish>;
  /** Whether units are being borrowed for waiting requests, or waited for. */
  phase: "idle" | "borrowing" | "waiting";
  /** Ends the wait for units that others give back, in so many milliseconds. */
  wakeIn(ms: number): void;
  hasAsked: boolean;
  /** Resolves when the last write of the row has ended: one follows another. */
  lastWrite: Promise<void>;
  isReturning: boolean;
  /** Whether the row may say more than `borrowed`, because writing it failed. */
  isRowTooLarge: boolean;
  idleTicks: number;
};
type Context = Borrowing & {
  users: PoolUsers;
  pools: Map<string, Pool>;
  /** Counts the lapses of the lease: an answer from before the last one is discarded. */
  lapses: number;
  onLapse: Set<() => void>;
};

/** Pools of which this replica uses what it has borrowed. */
export type BorrowedUnits = UnitPools & SharedLimit;

/**
 * Creates the pools of one of several replicas. It may grant units that it has borrowed, which it counts in memory, and
 * borrows more when they do not suffice. What is borrowed here is never more than its row in the table says: it is
 * reduced before the row is, and increased after it.
 */
export function createBorrowedUnits(borrowing: Borrowing, users: PoolUsers): BorrowedUnits {
  const { replicas } = borrowing;
  const context: Context = { ...borrowing, users, pools: new Map(), lapses: 0, onLapse: new Set() };
  replicas.onLapsed(() => dropLoans(context));
  replicas.bus.subscribe("units-wanted", (message, from) => rememberWish(context, message, from));
  replicas.bus.subscribe("units-returned", (message) => {
    const name = readUnitsReturned(message);
    if (name !== null) context.pools.get(name)?.wakeIn(0);
  });
  return {
    areShared: true,
    isUsable: () => replicas.holdsLease(),
    ...bind(context, { touch, allowance, usedByOthers, readUsedByOthers, seek, settle, returnUnused, tick, stop }),
  };
}

function touch({ pools }: Context, id: PoolId, limit: number): void {
  const pool = pools.get(id.name);
  if (pool === undefined) return void pools.set(id.name, createPool(id, limit));
  pool.idleTicks = 0;
  if (limit < pool.limit) pool.isUnchecked = true;
  pool.limit = limit;
}

function createPool(id: PoolId, limit: number): Pool {
  return {
    ...{ id, limit, borrowed: 0, usedByOthers: 0, isUnchecked: false, wishes: new Map(), phase: "idle", wakeIn() {} },
    ...{ hasAsked: false, lastWrite: Promise.resolve(), isReturning: false, isRowTooLarge: false, idleTicks: 0 },
  };
}

function allowance({ replicas, pools }: Context, { name }: PoolId): number {
  const pool = pools.get(name);
  return pool === undefined || pool.isUnchecked || !replicas.holdsLease() ? 0 : pool.borrowed;
}

const usedByOthers = ({ pools }: Context, { name }: PoolId): number => pools.get(name)?.usedByOthers ?? 0;

const readUsedByOthers = ({ lender, replicas }: Context, { name }: PoolId): Promise<number> =>
  lender.readOthers(name, replicas.id());

function seek(context: Context, { name }: PoolId): void {
  const pool = context.pools.get(name);
  if (pool?.phase === "idle") void seekUntilServed(context, pool);
  if (pool?.phase === "waiting") admitLateClaims(context, pool);
}

/** Lets requests that came since the last attempt wait for the next one, which follows soon. */
function admitLateClaims({ users }: Context, pool: Pool): void {
  const late = users.claims(pool.id).filter(({ turn }) => turn === null);
  for (const claim of late) claim.attemptFailed(true);
  if (late.length > 0) pool.wakeIn(NEXT_ATTEMPT_MS);
}

/** Borrows units, asks others for them and waits for what they give back, until no request waits any more. */
async function seekUntilServed(context: Context, pool: Pool): Promise<void> {
  const hasClaims = () => context.users.claims(pool.id).length > 0;
  do {
    pool.phase = "borrowing";
    const waitMs = await attempt(context, pool);
    if (waitMs > 0 && hasClaims()) await waitForReturn(context, pool, waitMs);
  } while (hasClaims());
  pool.phase = "idle";
  if (!pool.hasAsked) return;
  pool.hasAsked = false;
  context.replicas.bus.publish("units-wanted", { pool: pool.id.name, needed: 0, turn: 0 });
}

/** Borrows once and starts what fits. Returns when to try again, in milliseconds. */
async function attempt(context: Context, pool: Pool): Promise<number> {
  const { users } = context;
  let asked: Claim[] = [];
  try {
    const loan = await borrow(context, pool, () => {
      asked = users.claims(pool.id);
    });
    users.serve(pool.id.organizationId);
    const waiting = new Set(users.claims(pool.id));
    for (const claim of asked) if (waiting.has(claim)) claim.turn ??= loan.turn;
    const mayBeReturned = loan.others > 0 || computeReservedUnits(pool.wishes.values(), turnOf([...waiting])) > 0;
    const isLate = (claim: Claim) => !asked.includes(claim);
    if (loan.taken > 0 && [...waiting].some(isLate)) return 0;
    for (const claim of waiting) claim.attemptFailed(isLate(claim) || mayBeReturned);
    return [...waiting].some(isLate) ? NEXT_ATTEMPT_MS : REPEAT_MS;
  } catch (error) {
    for (const claim of users.claims(pool.id)) claim.fail(error);
    return REPEAT_MS;
  }
}

/** Asks others for units, and resolves when some are given back, or after `waitMs`, because messages may be lost. */
async function waitForReturn(context: Context, pool: Pool, waitMs: number): Promise<void> {
  publishWish(context, pool);
  pool.phase = "waiting";
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let endsAt = Number.POSITIVE_INFINITY;
    pool.wakeIn = (ms) => {
      const at = performance.now() + ms;
      if (at >= endsAt) return;
      endsAt = at;
      clearTimeout(timer);
      if (ms === 0) resolve();
      else timer = setTimeout(resolve, ms);
    };
    pool.wakeIn(waitMs);
  });
  pool.wakeIn = () => {};
}

/** Tells others what the requests with the earliest turn lack. Later ones ask when theirs has come. */
function publishWish({ replicas, users }: Context, pool: Pool): void {
  const claims = users.claims(pool.id);
  const first = turnOf(claims);
  if (first === null) return;
  const units = users.used(pool.id) + sumCosts(claims, (turn) => turn <= first);
  const needed = Math.min(pool.limit, units) - pool.borrowed;
  if (needed <= 0) return;
  pool.hasAsked = true;
  replicas.bus.publish("units-wanted", { pool: pool.id.name, needed, turn: first });
}

/** The earliest turn of waiting requests; null when none has one. */
function turnOf(claims: readonly Claim[]): number | null {
  const turns = claims.flatMap(({ turn }) => turn ?? []);
  return turns.length === 0 ? null : Math.min(...turns);
}

/** Borrows what waiting and running requests lack. Throws `storage_unavailable` while the lease does not hold. */
function borrow(context: Context, pool: Pool, onStart: () => void): Promise<Loan> {
  const { replicas, lender, lapses } = context;
  return untilLapse(context, () =>
    runAfterLastWrite(pool, async () => {
      if (!replicas.holdsLease() || context.lapses !== lapses) throw errors.storageUnavailable();
      onStart();
      const request = toBorrowRequest(context, pool);
      pool.isRowTooLarge = true; // unless an answer says otherwise
      const loan = await lender.borrow(request);
      if (context.lapses !== lapses || replicas.id() !== request.replicaId) throw errors.storageUnavailable();
      pool.borrowed += loan.taken;
      pool.usedByOthers = loan.others;
      pool.isUnchecked = false;
      pool.isRowTooLarge = false;
      reduce(context, pool, Math.min(unusedOf(context, pool), pool.borrowed + loan.others - pool.limit));
      return loan;
    }),
  );
}

function toBorrowRequest({ replicas, users }: Context, pool: Pool): BorrowRequest {
  const { id, limit, borrowed } = pool;
  removeExpired(pool);
  const claims = users.claims(id);
  const wanted = users.used(id) + sumCosts(claims);
  return {
    ...{ pool: id.name, replicaId: replicas.id(), limit, held: borrowed, wanted },
    needed: Math.max(0, Math.min(limit, wanted) - borrowed),
    share: computeShare(limit, replicas.others().length + 1),
    reserved: computeReservedUnits(pool.wishes.values(), turnOf(claims)),
  };
}

/** Runs `run` when the last write of the pool's row has ended. */
function runAfterLastWrite<T>(pool: Pool, run: () => Promise<T>): Promise<T> {
  const result = pool.lastWrite.then(run);
  pool.lastWrite = result.then(
    () => {},
    () => {},
  );
  return result;
}

/** Throws `storage_unavailable` as soon as the lease lapses, without waiting for the database. */
function untilLapse<T>({ onLapse }: Context, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onLapsed = () => reject(errors.storageUnavailable());
    onLapse.add(onLapsed);
    run()
      .finally(() => onLapse.delete(onLapsed))
      .then(resolve, reject);
  });
}

/** What was borrowed under the former id is this replica's no longer. */
function dropLoans(context: Context): void {
  context.lapses += 1;
  for (const pool of context.pools.values()) {
    pool.borrowed = 0;
    pool.lastWrite = Promise.resolve();
    pool.isReturning = false;
    pool.isRowTooLarge = false;
    for (const claim of context.users.claims(pool.id)) claim.fail(errors.storageUnavailable());
  }
  for (const onLapsed of [...context.onLapse]) onLapsed();
}

function rememberWish(context: Context, message: unknown, from: string): void {
  const wanted = readUnitsWanted(message);
  const pool = wanted && context.pools.get(wanted.pool);
  if (!wanted || !pool) return;
  if (wanted.needed === 0) {
    if (pool.wishes.delete(from)) pool.wakeIn(0);
    return;
  }
  const { needed, turn } = wanted;
  pool.wishes.set(from, { needed, turn, given: 0, expiresAt: performance.now() + WISH_MS });
  settle(context, pool.id);
}

function removeExpired({ wishes }: Pool): void {
  for (const [replica, { expiresAt }] of wishes) if (expiresAt <= performance.now()) wishes.delete(replica);
}

function settle(context: Context, { name }: PoolId): void {
  const pool = context.pools.get(name);
  if (pool === undefined) return;
  if (pool.wishes.size > 0) grantWishes(context, pool);
  if (pool.phase === "waiting" && context.users.claims(pool.id).length === 0) pool.wakeIn(0);
}

function grantWishes(context: Context, pool: Pool): void {
  removeExpired(pool);
  const claims = context.users.claims(pool.id);
  for (const wish of [...pool.wishes.values()].sort((a, b) => a.turn - b.turn)) {
    const units = computeUnitsToReturn(unusedOf(context, pool), wish, claims);
    wish.given += units;
    reduce(context, pool, units);
  }
}

function returnUnused(context: Context, { name }: PoolId): void {
  const pool = context.pools.get(name);
  if (pool) reduce(context, pool, unusedOf(context, pool) - sumCosts(context.users.claims(pool.id)));
}

const unusedOf = ({ users }: Context, { id, borrowed }: Pool): number => Math.max(0, borrowed - users.used(id));

/** Gives back so many units: they are no longer granted from now on, and are written as soon as the row can be. */
function reduce(context: Context, pool: Pool, units: number): void {
  if (units <= 0) return;
  pool.borrowed -= units;
  writeReduced(context, pool);
}

function writeReduced(context: Context, pool: Pool): void {
  const { replicas, lender, lapses } = context;
  if (pool.isReturning) return;
  pool.isReturning = true;
  const { name } = pool.id;
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

function tick(context: Context): void {
  for (const pool of context.pools.values()) {
    pool.idleTicks += 1;
    const idle = pool.idleTicks < IDLE_TICKS || pool.phase !== "idle" ? 0 : pool.borrowed;
    reduce(context, pool, Math.min(unusedOf(context, pool), Math.max(idle, pool.borrowed - pool.limit)));
    if (pool.isRowTooLarge) writeReduced(context, pool);
    if (isUncovered(context, pool)) void seekUntilServed(context, pool);
    if (isForgettable(context, pool)) context.pools.delete(pool.id.name);
  }
}

/** Whether requests run that began before the lease lapsed, so that others might borrow the units which they hold. */
const isUncovered = ({ replicas, users }: Context, { id, borrowed, phase }: Pool): boolean =>
  phase === "idle" && users.used(id) > borrowed && replicas.holdsLease();

function isForgettable({ users }: Context, { id, borrowed, phase, isReturning, isRowTooLarge, idleTicks }: Pool) {
  const isClean = borrowed === 0 && !isReturning && !isRowTooLarge;
  return isClean && phase === "idle" && idleTicks > IDLE_TICKS && users.used(id) === 0;
}

async function stop({ lender, replicas, pools }: Context): Promise<void> {
  for (const pool of pools.values()) pool.borrowed = 0;
  await Promise.all([...pools.values()].map(({ lastWrite }) => lastWrite));
  await lender.returnAll(replicas.id()).catch(() => {}); // otherwise it is back when the lease has ended
  for (const name of pools.keys()) replicas.bus.publish("units-returned", { pool: name });
}
