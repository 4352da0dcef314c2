import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { type BorrowedUnits, createBorrowedUnits } from "./borrowed-units.ts";
import {
  createOrganization,
  isFull,
  NO_OTHERS,
  type Organization,
  type QueueEntry,
  toUnitsInUseError,
  type UsedByOthers,
} from "./organization-units.ts";
import { goesBefore } from "./priority.ts";
import type { Borrowing } from "./unit-loans.ts";
import { type Pool, type PoolUsers, UNSHARED_POOLS, type UnitPools } from "./unit-pools.ts";
import { impossibleCost, type Lease, type UnitRequest } from "./unit-requests.ts";
import { createWaitQueue, type WaitQueue } from "./wait-queue.ts";

/** The units of an organization in use, and the requests that hold them. */
export type UnitsSnapshot = { used: number; requests: HeldUnits[] };
/** The units of a running request, and the API key whose limit they count towards; null without one. */
type HeldUnits = { id: string; cost: number; model: string; keyId: string | null; startedAt: Date };

/** The units that running requests hold in these other replicas, of the plan and of a request's API key. */
export type UsedElsewhere = UsedByOthers & { replicaIds: readonly string[] };

/** The limit of concurrency units: the requests of an organization never hold more than its plan has. */
export type Units = {
  /**
   * Acquires units, waiting up to `waitMs` for them. Throws `concurrency_limit_exceeded`, also when too many requests
   * wait, `model_not_on_plan` when the request needs more units than the limits allow, and `storage_unavailable` when
   * units would have to be borrowed and the database cannot be used.
   */
  acquire(request: UnitRequest, waitMs: number, signal: AbortSignal): Promise<Lease>;
  /**
   * Returns the error that a request would get now if it did not wait; null if it would get its units. `elsewhere` is the
   * use by other replicas; for replicas missing in it, all units that they have borrowed count.
   */
  refusalOf(request: UnitRequest, elsewhere?: UsedElsewhere): Promise<AppError | null>;
  /** Returns the units that an organization holds in this process. */
  snapshot(organizationId: string): Promise<UnitsSnapshot>;
  /** Returns the units that this process holds for all organizations. */
  totalInUse(): number;
};

/** A request that does not wait is refused if other replicas have not returned units within this time. */
const RETURN_WAIT_MS = 50;

type Context = { clock: Clock; waitQueue: WaitQueue; pools: UnitPools; organizations: Map<string, Organization> };

/**
 * Creates the units of this process, counted in memory. Waiting requests are served in order, those of batches last: nothing
 * else overtakes a large request that waits first for the plan's units. Requests that wait only for their key's units do not
 * block others. A process that is alone on its database may use up the limits; otherwise it uses borrowed units
 * (`createSharedUnits`).
 */
export function createUnits(clock: Clock, waitQueue = createWaitQueue()): Units {
  return bindUnits({ clock, waitQueue, pools: UNSHARED_POOLS, organizations: new Map() });
}

/** Creates the units of one of several replicas, and the pools that borrow them. */
export function createSharedUnits(
  clock: Clock,
  waitQueue: WaitQueue,
  borrowing: Borrowing,
): { units: Units; borrowed: BorrowedUnits } {
  const organizations = new Map<string, Organization>();
  const users: PoolUsers = {
    claims(pool) {
      const organization = organizations.get(pool.organizationId);
      return organization?.queue.filter(({ request }) => blockingPool(context, organization, request) === pool) ?? [];
    },
    serve({ organizationId }) {
      const organization = organizations.get(organizationId);
      if (organization) serveQueue(context, organization);
    },
  };
  const borrowed = createBorrowedUnits(borrowing, users);
  const context: Context = { clock, waitQueue, pools: borrowed, organizations };
  return { units: bindUnits(context), borrowed };
}

const bindUnits = (context: Context): Units =>
  bind(context, { acquire: acquireUnits, refusalOf, snapshot: readSnapshot, totalInUse: sumUnitsInUse });

async function acquireUnits(
  context: Context,
  request: UnitRequest,
  waitMs: number,
  signal: AbortSignal,
): Promise<Lease> {
  signal.throwIfAborted();
  const impossible = impossibleCost(request);
  if (impossible) throw impossible;
  const organization = getOrCreate(context, request.organizationId);
  touchPools(context, organization, request);
  if (isFree(context, organization, request)) return grantUnits(context, organization, request);
  if (context.pools.isUsable() && (waitMs > 0 || mayBorrow(context, organization, request)))
    return waitForUnits(context, organization, request, waitMs, signal);
  const refusal = toRefusal(context, organization, request);
  evictIdle(context, organization, request);
  throw refusal;
}

/** Returns whether a request that does not wait may get its units from other processes. */
function mayBorrow(context: Context, organization: Organization, request: UnitRequest): boolean {
  if (isFull(organization, request, NO_OTHERS)) return false;
  return !organization.queue.some((entry) => entry.waits && isAhead(context, organization, entry.request, request));
}

async function refusalOf(
  context: Context,
  request: UnitRequest,
  elsewhere: UsedElsewhere = { ...NO_OTHERS, replicaIds: [] },
): Promise<AppError | null> {
  const { pools, organizations } = context;
  const organization = organizations.get(request.organizationId) ?? openOrganization(context, request.organizationId);
  const impossible = impossibleCost(request);
  if (impossible !== null || isFree(context, organization, request)) return impossible;
  if (!pools.isUsable()) return toRefusal(context, organization, request);
  const others = await addBorrowed(context, organization, request, elsewhere);
  const isRefused = hasWaitingAhead(context, organization, request) || isFull(organization, request, others);
  return isRefused ? toUnitsInUseError(organization, request, others) : null;
}

async function readSnapshot({ organizations }: Context, organizationId: string): Promise<UnitsSnapshot> {
  const organization = organizations.get(organizationId);
  const held = organization?.held.list() ?? [];
  return {
    used: organization?.plan.used ?? 0,
    requests: held.map(({ id, cost, model, key, startedAt }) => ({
      id,
      cost,
      model,
      keyId: key?.id ?? null,
      startedAt,
    })),
  };
}

function sumUnitsInUse({ organizations }: Context): number {
  return [...organizations.values()].reduce((sum, { plan }) => sum + plan.used, 0);
}

function getOrCreate(context: Context, organizationId: string): Organization {
  const existing = context.organizations.get(organizationId);
  if (existing) return existing;
  const organization = openOrganization(context, organizationId);
  context.organizations.set(organizationId, organization);
  return organization;
}

const openOrganization = ({ pools }: Context, organizationId: string): Organization =>
  createOrganization(pools.open(`organization:${organizationId}`, organizationId));

/** Returns the pool of an API key with its own limit. */
const keyPoolOf = ({ pools }: Context, { keys, plan }: Organization, keyId: string): Pool =>
  keys.get(keyId) ?? pools.open(`key:${keyId}`, plan.organizationId);

function touchPools(context: Context, organization: Organization, { limit, key }: UnitRequest): void {
  if (limit !== null) context.pools.touch(organization.plan, limit);
  if (key === null) return;
  const pool = keyPoolOf(context, organization, key.id);
  organization.keys.set(key.id, pool);
  context.pools.touch(pool, key.limit);
}

/** Returns the pools of which a request holds units. */
function poolsOf(context: Context, organization: Organization, { key }: UnitRequest): Pool[] {
  return key === null ? [organization.plan] : [organization.plan, keyPoolOf(context, organization, key.id)];
}

/** Returns whether a request gets its units immediately: they are free, and none that goes before it waits for the plan's. */
function isFree(context: Context, organization: Organization, request: UnitRequest): boolean {
  if (!context.pools.isUsable()) return false;
  if (keyIsFull(context, organization, request) || planIsFull(context, organization, request)) return false;
  return !hasWaitingAhead(context, organization, request);
}

/** Forgets an organization, or the pool of a key, that no request uses. */
function evictIdle({ organizations }: Context, { plan, keys, held, queue }: Organization, { key }: UnitRequest): void {
  if (held.count() === 0 && queue.length === 0) organizations.delete(plan.organizationId);
  else if (key !== null && keys.get(key.id)?.used === 0 && !queue.some(({ request }) => request.key?.id === key.id))
    keys.delete(key.id);
}

function grantUnits(context: Context, organization: Organization, request: UnitRequest): Lease {
  const { plan, held } = organization;
  const pools = poolsOf(context, organization, request);
  for (const pool of pools) pool.used += request.cost;
  const removeHeld = held.add({ ...request, startedAt: context.clock.now() });
  let released = false;
  return {
    used: plan.used,
    [Symbol.dispose]() {
      if (released) return;
      released = true;
      for (const pool of pools) pool.used -= request.cost;
      removeHeld();
      for (const pool of pools) context.pools.settle(pool);
      serveQueue(context, organization);
      evictIdle(context, organization, request);
    },
  };
}

function serveQueue(context: Context, organization: Organization): void {
  let at = 0;
  for (let next = organization.queue[at]; next; next = organization.queue[at]) {
    if (keyIsFull(context, organization, next.request)) at += 1;
    else if (planIsFull(context, organization, next.request)) break;
    else {
      organization.queue.splice(at, 1);
      next.start(grantUnits(context, organization, next.request));
    }
  }
  if (!context.pools.areShared) return;
  for (const { request } of [...organization.queue]) context.pools.seek(blockingPool(context, organization, request));
}

/** Returns whether a request waits for the plan's units that the given one must not overtake. */
function hasWaitingAhead(context: Context, organization: Organization, request: UnitRequest): boolean {
  return organization.queue.some((entry) => isAhead(context, organization, entry.request, request));
}

/** Returns whether a waiting request, which waits for the plan's units, goes before one that arrived later. */
function isAhead(context: Context, organization: Organization, waiting: UnitRequest, request: UnitRequest): boolean {
  return !goesBefore(request.priority, waiting.priority) && !keyIsFull(context, organization, waiting);
}

/** Adds a request to those that wait, behind those that go before it. */
function enqueue({ queue }: Organization, entry: QueueEntry): void {
  const at = queue.findIndex(({ priority }) => goesBefore(entry.priority, priority));
  queue.splice(at === -1 ? queue.length : at, 0, entry);
}

function waitForUnits(
  context: Context,
  organization: Organization,
  request: UnitRequest,
  ms: number,
  signal: AbortSignal,
): Promise<Lease> {
  const { queue } = organization;
  const { pools, waitQueue } = context;
  let leaveQueue: (() => void) | null = null;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const stopWith = (error: unknown) => {
      stopWaiting();
      const at = queue.indexOf(entry);
      if (at >= 0) queue.splice(at, 1);
      for (const pool of poolsOf(context, organization, request)) {
        pools.settle(pool);
        pools.returnUnused(pool);
      }
      serveQueue(context, organization); // a smaller request behind it may fit now
      evictIdle(context, organization, request);
      reject(error);
    };
    const refuse = () => stopWith(toRefusal(context, organization, request));
    const entry: QueueEntry = {
      request,
      cost: request.cost,
      priority: request.priority,
      turn: null,
      waits: ms > 0,
      start(lease) {
        stopWaiting();
        resolve(lease);
      },
      attemptFailed(mayBeReturned) {
        if (isOver) return;
        if (ms > 0) enterWaitQueue();
        else if (mayBeReturned) timer ??= setTimeout(refuse, RETURN_WAIT_MS);
        else refuse();
      },
      fail(error) {
        if (isOver) return;
        if (ms > 0) enterWaitQueue();
        else stopWith(error);
      },
    };
    if (ms > 0) timer = setTimeout(refuse, ms);
    const onAbort = () => stopWith(signal.reason);
    function enterWaitQueue() {
      try {
        leaveQueue ??= waitQueue.enter(request);
      } catch (error) {
        stopWith(error);
      }
    }
    function stopWaiting() {
      isOver = true;
      leaveQueue?.();
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
    signal.addEventListener("abort", onAbort);
    enqueue(organization, entry);
    if (pools.areShared) pools.seek(blockingPool(context, organization, request));
    else enterWaitQueue();
  });
}

/** Returns the pool for whose units a request waits. The key's pool comes first. */
function blockingPool(context: Context, organization: Organization, request: UnitRequest): Pool {
  const { key } = request;
  const waitsForKey = key !== null && keyIsFull(context, organization, request);
  return waitsForKey ? keyPoolOf(context, organization, key.id) : organization.plan;
}

const planIsFull = ({ pools }: Context, { plan }: Organization, { cost, limit }: UnitRequest): boolean =>
  limit !== null && plan.used + cost > Math.min(limit, pools.allowance(plan));

function keyIsFull(context: Context, organization: Organization, { cost, key }: UnitRequest): boolean {
  if (key === null) return false;
  const pool = keyPoolOf(context, organization, key.id);
  return pool.used + cost > Math.min(key.limit, context.pools.allowance(pool));
}

/** Adds the units borrowed by replicas whose requests are not listed. */
async function addBorrowed(
  context: Context,
  organization: Organization,
  request: UnitRequest,
  elsewhere: UsedElsewhere,
): Promise<UsedByOthers> {
  const pools = poolsOf(context, organization, request);
  const read = (pool: Pool) => context.pools.readBorrowedByOthers(pool, elsewhere.replicaIds);
  const [plan = 0, key = 0] = await Promise.all(pools.map(read));
  return { plan: elsewhere.plan + plan, key: elsewhere.key + key };
}

function toRefusal(context: Context, organization: Organization, request: UnitRequest): AppError {
  if (!context.pools.isUsable()) return errors.storageUnavailable();
  const [plan, key] = poolsOf(context, organization, request);
  return toUnitsInUseError(organization, request, { plan: plan?.usedByOthers ?? 0, key: key?.usedByOthers ?? 0 });
}
