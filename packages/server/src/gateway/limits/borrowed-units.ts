import { bind } from "../../platform/core/bind.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import { computeReservedUnits, computeUnitsToReturn, sumCosts } from "./borrowing.ts";
import { type BorrowedLimit, unusedOf } from "./counter.ts";
import { toTurn } from "./priority.ts";
import {
  type Borrowing,
  type BorrowingContext,
  borrow,
  dropLoans,
  reduce,
  removeExpired,
  turnOf,
  writeReduced,
} from "./unit-loans.ts";
import { type Claim, createPool, type KnownShortage, type Pool, type PoolUsers, type UnitPools } from "./unit-pools.ts";
import { readShortage, readUnitsReturned } from "./units-messages.ts";

/** Delay before borrowing for requests that arrived after the last shortage message. */
const NEXT_ATTEMPT_MS = 25;
/** Interval at which waiting requests try again, because messages may be lost. */
const REPEAT_MS = 500;
/** A shortage of another replica is remembered for this long; replicas repeat theirs. */
const SHORTAGE_MS = SECOND_MS;
/** Number of ticks without a request after which a pool's units are returned: 10 s. */
const IDLE_TICKS = 5;
/** Maximum number of pools without requests in this process whose shortages are stored. */
const MAX_OTHER_POOLS = 10_000;

/** The pools from which this replica borrows units. */
export type BorrowedUnits = UnitPools & BorrowedLimit;

/**
 * Creates the pools of one of several replicas. It grants only borrowed units, which it counts in memory, and borrows more
 * when they do not suffice. Its count never exceeds the row in the table: it is reduced before the row is, and increased
 * after it.
 */
export function createBorrowedUnits(borrowing: Borrowing, users: PoolUsers): BorrowedUnits {
  const { replicas } = borrowing;
  const context: BorrowingContext = {
    ...borrowing,
    users,
    pools: new Map(),
    otherShortages: new Map(),
    lapses: 0,
    onLapse: new Set(),
  };
  replicas.onLapsed(() => dropLoans(context));
  replicas.bus.subscribe("units-wanted", (message, from) => noteShortage(context, message, from));
  replicas.bus.subscribe("units-returned", (message) => {
    const name = readUnitsReturned(message);
    if (name !== null) context.pools.get(name)?.wakeIn(0);
  });
  return {
    areShared: true,
    isUsable: () => replicas.holdsLease(),
    ...bind(context, { open, touch, allowance, readBorrowedByOthers, seek, settle, returnUnused, tick, stop }),
  };
}

const open = ({ pools }: BorrowingContext, name: string, organizationId: string): Pool =>
  pools.get(name) ?? createPool(name, organizationId, 0);

function touch(context: BorrowingContext, pool: Pool, limit: number): void {
  register(context, pool);
  pool.idleTicks = 0;
  if (limit < pool.limit) pool.isUnchecked = true;
  pool.limit = limit;
}

/** Adds a new pool, or one that was forgotten while a request waited for other units. */
function register({ pools, otherShortages }: BorrowingContext, pool: Pool): void {
  const { name } = pool;
  if (pools.has(name)) return;
  pools.set(name, pool);
  pool.shortages = otherShortages.get(name) ?? new Map();
  otherShortages.delete(name);
}

const allowance = ({ replicas }: BorrowingContext, { isUnchecked, borrowed }: Pool): number =>
  isUnchecked || !replicas.holdsLease() ? 0 : borrowed;

const readBorrowedByOthers = (
  { lender, replicas }: BorrowingContext,
  { name }: Pool,
  withoutIds: readonly string[],
): Promise<number> => lender.readOthers(name, [replicas.id(), ...withoutIds]);

function seek(context: BorrowingContext, pool: Pool): void {
  register(context, pool);
  if (pool.phase === "idle") void seekUntilServed(context, pool);
  if (pool.phase === "waiting") admitLateClaims(context, pool);
}

/** Lets requests that arrived after the last attempt wait for the next one, which starts in `NEXT_ATTEMPT_MS`. */
function admitLateClaims({ users }: BorrowingContext, pool: Pool): void {
  const late = users.claims(pool).filter(({ turn }) => turn === null);
  for (const claim of late) claim.attemptFailed(true);
  if (late.length > 0) pool.wakeIn(NEXT_ATTEMPT_MS);
}

/** Borrows units, requests them from other replicas and waits for returned ones, until no request waits. */
async function seekUntilServed(context: BorrowingContext, pool: Pool): Promise<void> {
  const hasClaims = () => context.users.claims(pool).length > 0;
  do {
    pool.phase = "borrowing";
    const waitMs = await attempt(context, pool);
    if (waitMs > 0 && hasClaims()) await waitForReturn(context, pool, waitMs);
  } while (hasClaims());
  pool.phase = "idle";
  if (!pool.hasPublished) return;
  pool.hasPublished = false;
  context.replicas.bus.publish("units-wanted", { pool: pool.name, needed: 0, turn: 0 });
}

/** Borrows once and starts the requests that fit. Returns the delay until the next attempt, in milliseconds. */
async function attempt(context: BorrowingContext, pool: Pool): Promise<number> {
  const { users } = context;
  let included: Claim[] = [];
  try {
    const loan = await borrow(context, pool, () => {
      included = users.claims(pool);
    });
    users.serve(pool);
    const waiting = new Set(users.claims(pool));
    for (const claim of included) if (waiting.has(claim)) claim.turn ??= loan.turn && toTurn(loan.turn, claim.priority);
    const mayBeReturned = loan.others > 0 || computeReservedUnits(pool.shortages.values(), turnOf([...waiting])) > 0;
    const isLate = (claim: Claim) => !included.includes(claim);
    if (loan.taken > 0 && [...waiting].some(isLate)) return 0;
    for (const claim of waiting) claim.attemptFailed(isLate(claim) || mayBeReturned);
    return [...waiting].some(isLate) ? NEXT_ATTEMPT_MS : REPEAT_MS;
  } catch (error) {
    for (const claim of users.claims(pool)) claim.fail(error);
    return REPEAT_MS;
  }
}

/** Requests units from other replicas. Resolves when some are returned, or after `waitMs`, because messages may be lost. */
async function waitForReturn(context: BorrowingContext, pool: Pool, waitMs: number): Promise<void> {
  publishShortage(context, pool);
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

/** Publishes how many units the requests with the earliest turn lack. Those with a later turn publish theirs afterwards. */
function publishShortage({ replicas, users }: BorrowingContext, pool: Pool): void {
  const claims = users.claims(pool);
  const first = turnOf(claims);
  if (first === null) return;
  const units = pool.used + sumCosts(claims, (turn) => turn <= first);
  const needed = Math.min(pool.limit, units) - pool.borrowed;
  if (needed <= 0) return;
  pool.hasPublished = true;
  replicas.bus.publish("units-wanted", { pool: pool.name, needed, turn: first });
}

function noteShortage(context: BorrowingContext, message: unknown, from: string): void {
  const shortage = readShortage(message);
  if (!shortage) return;
  const pool = context.pools.get(shortage.pool);
  const shortages = pool?.shortages ?? shortagesOfOther(context, shortage.pool);
  const { needed, turn } = shortage;
  if (needed === 0) {
    if (shortages.delete(from)) pool?.wakeIn(0);
    return;
  }
  shortages.set(from, { needed, turn, given: 0, expiresAt: performance.now() + SHORTAGE_MS });
  if (pool) settle(context, pool);
}

/** Returns other replicas' shortages of a pool without requests here, so that a first request does not overtake others. */
function shortagesOfOther({ otherShortages }: BorrowingContext, pool: string): Map<string, KnownShortage> {
  const known = otherShortages.get(pool);
  if (known !== undefined) return known;
  const shortages = new Map<string, KnownShortage>();
  if (otherShortages.size < MAX_OTHER_POOLS) otherShortages.set(pool, shortages);
  return shortages;
}

function settle(context: BorrowingContext, pool: Pool): void {
  if (pool.shortages.size > 0) fillShortages(context, pool);
  if (pool.phase === "waiting" && context.users.claims(pool).length === 0) pool.wakeIn(0);
}

function fillShortages(context: BorrowingContext, pool: Pool): void {
  removeExpired(pool);
  const claims = context.users.claims(pool);
  for (const shortage of [...pool.shortages.values()].sort((a, b) => a.turn - b.turn)) {
    const units = computeUnitsToReturn(unusedOf(pool), shortage, claims);
    shortage.given += units;
    reduce(context, pool, units);
  }
}

function returnUnused(context: BorrowingContext, pool: Pool): void {
  reduce(context, pool, unusedOf(pool) - sumCosts(context.users.claims(pool)));
}

function tick(context: BorrowingContext): void {
  for (const pool of context.pools.values()) {
    pool.idleTicks += 1;
    const idle = pool.idleTicks < IDLE_TICKS || pool.phase !== "idle" ? 0 : pool.borrowed;
    reduce(context, pool, Math.min(unusedOf(pool), Math.max(idle, pool.borrowed - pool.limit)));
    if (pool.isRowTooLarge) writeReduced(context, pool);
    if (isUncovered(context.replicas, pool)) void seekUntilServed(context, pool);
    if (isForgettable(pool)) context.pools.delete(pool.name);
  }
  for (const [name, shortages] of context.otherShortages) {
    removeExpired({ shortages });
    if (shortages.size === 0) context.otherShortages.delete(name);
  }
}

/** Returns whether requests run that began before the lease lapsed, so that others might borrow the units that they hold. */
const isUncovered = (replicas: Replicas, { used, borrowed, phase }: Pool): boolean =>
  phase === "idle" && used > borrowed && replicas.holdsLease();

function isForgettable({ used, borrowed, phase, isReturning, isRowTooLarge, idleTicks }: Pool): boolean {
  const isClean = borrowed === 0 && !isReturning && !isRowTooLarge;
  return isClean && phase === "idle" && idleTicks > IDLE_TICKS && used === 0;
}

async function stop({ lender, replicas, pools }: BorrowingContext): Promise<void> {
  for (const pool of pools.values()) pool.borrowed = 0;
  await Promise.all([...pools.values()].map(({ lastWrite }) => lastWrite));
  await lender.returnAll(replicas.id()).catch(() => {}); // otherwise it is back when the lease has ended
  for (const name of pools.keys()) replicas.bus.publish("units-returned", { pool: name });
}
