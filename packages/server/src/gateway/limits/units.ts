import { bind } from "../../core/bind.ts";
import type { Clock } from "../../core/clock.ts";
import { type AppError, errors } from "../../core/errors/index.ts";
import type { CallerPlan } from "../ports.ts";
import { createWaitQueue, type WaitQueue } from "./wait-queue.ts";

/** A request that waits for units, or holds them. */
export type UnitRequest = {
  id: string;
  organizationId: string;
  model: string;
  /** Size of its body in bytes, which stays in memory while it waits. */
  bytes: number;
  /** Units it holds while it runs. */
  cost: number;
  /** Units of the plan; null means no limit. */
  limit: number | null;
  /** Its API key and the units that the key may hold; null without such a limit. */
  key: { id: string; limit: number } | null;
};

/** Units held by one request, until the lease is disposed of. Disposing of it twice is harmless. */
export type Lease = Disposable & {
  /** Units of the organization in use, including these. */
  used: number;
};
/** Units of an organization in use, and the requests that hold them. */
export type UnitsSnapshot = { used: number; requests: { id: string; cost: number; model: string; startedAt: Date }[] };

/** Concurrency limits: the units that an organization's requests hold never exceed its plan. */
export type Units = {
  /**
   * Acquires units, waiting up to `waitMs` for them. Throws `concurrency_limit_exceeded`, also when too many requests
   * wait, and `model_not_on_plan` when the request needs more units than the limits allow.
   */
  acquire(request: UnitRequest, waitMs: number, signal: AbortSignal): Promise<Lease>;
  /** The error that a request would get now if it did not wait; null if it would get its units. */
  refusalOf(request: UnitRequest): AppError | null;
  /** The units that an organization holds now. */
  snapshot(organizationId: string): Promise<UnitsSnapshot>;
  /** Units that this process holds for all organizations. */
  totalInUse(): number;
};

type HeldUnits = UnitRequest & { startedAt: Date };
type QueueEntry = { request: UnitRequest; start(lease: Lease): void };
type Organization = { used: number; usedByKey: Map<string, number>; held: Map<string, HeldUnits>; queue: QueueEntry[] };
type Context = { clock: Clock; waitQueue: WaitQueue; organizations: Map<string, Organization> };

/**
 * Units of one process, in memory. Waiting requests are served in order: nothing overtakes a large request that waits
 * first for the plan's units. Requests that only wait for the share of their key do not block others.
 */
export function createUnits(clock: Clock, waitQueue = createWaitQueue()): Units {
  const context: Context = { clock, waitQueue, organizations: new Map() };
  return bind(context, { acquire: acquireUnits, refusalOf, snapshot: readSnapshot, totalInUse: sumUnitsInUse });
}

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
  if (isFree(organization, request)) return grantUnits(context, organization, request);
  if (waitMs > 0) return waitForUnits(context, organization, request, waitMs, signal);
  const refusal = toUnitsInUseError(organization, request);
  evictIdle(context, request.organizationId, organization);
  throw refusal;
}

function refusalOf({ organizations }: Context, request: UnitRequest): AppError | null {
  const organization = organizations.get(request.organizationId) ?? createOrganization();
  return impossibleCost(request) ?? (isFree(organization, request) ? null : toUnitsInUseError(organization, request));
}

async function readSnapshot({ organizations }: Context, organizationId: string): Promise<UnitsSnapshot> {
  const organization = organizations.get(organizationId);
  const held = [...(organization?.held.values() ?? [])];
  return {
    used: organization?.used ?? 0,
    requests: held.map(({ id, cost, model, startedAt }) => ({ id, cost, model, startedAt })),
  };
}

function sumUnitsInUse({ organizations }: Context): number {
  return [...organizations.values()].reduce((sum, { used }) => sum + used, 0);
}

function getOrCreate({ organizations }: Context, organizationId: string): Organization {
  const existing = organizations.get(organizationId);
  if (existing) return existing;
  const organization = createOrganization();
  organizations.set(organizationId, organization);
  return organization;
}

function createOrganization(): Organization {
  return { used: 0, usedByKey: new Map(), held: new Map(), queue: [] };
}

/** Whether a request gets its units at once: they are free, and nobody waits for the plan's. */
function isFree(organization: Organization, request: UnitRequest): boolean {
  return !keyIsFull(organization, request) && !planIsFull(organization, request) && !hasWaitingForPlan(organization);
}

function evictIdle({ organizations }: Context, organizationId: string, { held, queue }: Organization): void {
  if (held.size === 0 && queue.length === 0) organizations.delete(organizationId);
}

function grantUnits(context: Context, organization: Organization, request: UnitRequest): Lease {
  add(organization, request, request.cost);
  organization.held.set(request.id, { ...request, startedAt: context.clock.now() });
  let released = false;
  return {
    used: organization.used,
    [Symbol.dispose]() {
      if (released) return;
      released = true;
      add(organization, request, -request.cost);
      organization.held.delete(request.id);
      serveQueue(context, organization);
      evictIdle(context, request.organizationId, organization);
    },
  };
}

function serveQueue(context: Context, organization: Organization): void {
  let at = 0;
  for (let next = organization.queue[at]; next; next = organization.queue[at]) {
    if (keyIsFull(organization, next.request)) at += 1;
    else if (planIsFull(organization, next.request)) return;
    else {
      organization.queue.splice(at, 1);
      next.start(grantUnits(context, organization, next.request));
    }
  }
}

/** Whether a request waits for the plan's units, and must not be overtaken. */
function hasWaitingForPlan(organization: Organization): boolean {
  return organization.queue.some(({ request }) => !keyIsFull(organization, request));
}

function waitForUnits(
  context: Context,
  organization: Organization,
  request: UnitRequest,
  ms: number,
  signal: AbortSignal,
): Promise<Lease> {
  const { queue } = organization;
  const leaveQueue = context.waitQueue.enter(request);
  return new Promise((resolve, reject) => {
    const entry: QueueEntry = {
      request,
      start(lease) {
        stopWaiting();
        resolve(lease);
      },
    };
    const stopWith = (error: unknown) => {
      stopWaiting();
      const at = queue.indexOf(entry);
      if (at >= 0) queue.splice(at, 1);
      serveQueue(context, organization); // a smaller request behind it may fit now
      evictIdle(context, request.organizationId, organization);
      reject(error);
    };
    const timer = setTimeout(() => stopWith(toUnitsInUseError(organization, request)), ms);
    const onAbort = () => stopWith(signal.reason);
    function stopWaiting() {
      leaveQueue();
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
    signal.addEventListener("abort", onAbort);
    queue.push(entry);
  });
}

function add(organization: Organization, { key }: UnitRequest, cost: number): void {
  organization.used += cost;
  if (key === null) return;
  const used = (organization.usedByKey.get(key.id) ?? 0) + cost;
  if (used > 0) organization.usedByKey.set(key.id, used);
  else organization.usedByKey.delete(key.id);
}

function planIsFull({ used }: Organization, { cost, limit }: UnitRequest): boolean {
  return limit !== null && used + cost > limit;
}

function keyIsFull({ usedByKey }: Organization, { cost, key }: UnitRequest): boolean {
  return key !== null && (usedByKey.get(key.id) ?? 0) + cost > key.limit;
}

/** The error names the limit that applies: the plan's, or the key's share. */
function toUnitsInUseError(organization: Organization, request: UnitRequest): AppError {
  const { key, limit } = request;
  if (key !== null && !planIsFull(organization, request) && keyIsFull(organization, request))
    return unitsInUse(request, organization.usedByKey.get(key.id) ?? 0, key.limit, "limit of this API key");
  return unitsInUse(request, organization.used, limit ?? 0, "plan limit");
}

function unitsInUse({ cost, model }: UnitRequest, used: number, max: number, limitName: string): AppError {
  const message = `All units are in use: ${used} of ${max} are busy and ${model} needs ${cost} (${limitName}: ${max}). Try again when a request has ended, or send x-queue-timeout to wait your turn.`;
  return errors.concurrencyLimitExceeded(message, {
    headers: {
      "retry-after": "2",
      "retry-after-ms": "2000",
      "x-concurrency-limit": String(max),
      "x-concurrency-used": String(used),
      "x-concurrency-cost": String(cost),
    },
    details: { limit: max, used, cost, over_by: Math.max(0, used + cost - max) },
  });
}

/** The error for a request that needs more units than the limits ever allow; null for any other. */
function impossibleCost({ cost, model, limit, key }: UnitRequest): AppError | null {
  const max = computeMaxUnits(limit, key?.limit ?? null);
  if (cost <= max) return null;
  return errors.modelNotOnPlan(
    `${model} needs ${cost} units and you have ${max} (plan limit: ${max}). A larger plan has more.`,
    { details: { limit: max, cost } },
  );
}

/** The most units that one request can hold: the smaller of the plan's limit and the key's, of which null means none. */
export function computeMaxUnits(planLimit: number | null, keyLimit: number | null): number {
  return Math.min(planLimit ?? Number.POSITIVE_INFINITY, keyLimit ?? Number.POSITIVE_INFINITY);
}

/** The concurrency units of a plan for its quantity; null means no limit. */
export function unitsOf({ plan, quantity }: CallerPlan): number | null {
  return plan.concurrency === null ? null : plan.concurrency * quantity;
}
