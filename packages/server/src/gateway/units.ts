import type { Clock } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";

/** A request that wants units, or holds them. */
export type UnitRequest = {
  id: string;
  organizationId: string;
  model: string;
  /** Units it holds while it runs. */
  cost: number;
  /** Units of the plan; null means no limit. */
  limit: number | null;
  /** The key it came with and the share of units that key may hold, if it is held to one. */
  key: { id: string; limit: number } | null;
};

export type Lease = { release(): void };
export type LiveUnits = { used: number; requests: { id: string; cost: number; model: string; startedAt: Date }[] };

type Held = UnitRequest & { startedAt: Date };
type Waiting = { request: UnitRequest; start(lease: Lease): void };

/**
 * Who holds which units, in this process. The sum of an organization's units never exceeds its plan. Those who wait get
 * their turn in the order they came: nobody overtakes a large request that is first in line.
 */
export function createUnits(clock: Clock) {
  const held = new Map<string, Map<string, Held>>();
  const waiting = new Map<string, Waiting[]>();

  function usedBy(organizationId: string, keyId?: string): number {
    let sum = 0;
    for (const request of held.get(organizationId)?.values() ?? [])
      if (keyId === undefined || request.key?.id === keyId) sum += request.cost;
    return sum;
  }

  function fits({ organizationId, cost, limit, key }: UnitRequest): boolean {
    if (limit !== null && usedBy(organizationId) + cost > limit) return false;
    return key === null || usedBy(organizationId, key.id) + cost <= key.limit;
  }

  /** Says which limit stands in the way: the plan's, or the share of the key. */
  function inUse(request: UnitRequest): AppError {
    const { organizationId, cost, limit, key } = request;
    const used = usedBy(organizationId);
    if (key === null || (limit !== null && used + cost > limit))
      return unitsInUse(request, used, limit ?? 0, "plan limit");
    return unitsInUse(request, usedBy(organizationId, key.id), key.limit, "limit of this API key");
  }

  function hold(request: UnitRequest): Lease {
    const organization = held.get(request.organizationId) ?? new Map<string, Held>();
    held.set(request.organizationId, organization.set(request.id, { ...request, startedAt: clock.now() }));
    let released = false;
    return {
      release() {
        if (released) return;
        released = true;
        organization.delete(request.id);
        serveQueue(request.organizationId);
        if (organization.size === 0 && held.get(request.organizationId) === organization)
          held.delete(request.organizationId);
      },
    };
  }

  function serveQueue(organizationId: string): void {
    const queue = waiting.get(organizationId) ?? [];
    for (let first = queue[0]; first && fits(first.request); first = queue[0]) {
      queue.shift();
      first.start(hold(first.request));
    }
    if (queue.length === 0) waiting.delete(organizationId);
  }

  function wait(request: UnitRequest, milliseconds: number, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const queue = waiting.get(request.organizationId) ?? [];
      waiting.set(request.organizationId, queue);
      const entry: Waiting = {
        request,
        start(lease) {
          stopWaiting();
          resolve(lease);
        },
      };
      const giveUp = (error: unknown) => {
        stopWaiting();
        const at = queue.indexOf(entry);
        if (at >= 0) queue.splice(at, 1);
        serveQueue(request.organizationId); // a smaller one behind may fit now
        reject(error);
      };
      const timer = setTimeout(() => giveUp(inUse(request)), milliseconds);
      const onAbort = () => giveUp(signal.reason);
      function stopWaiting() {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      }
      signal.addEventListener("abort", onAbort);
      queue.push(entry);
    });
  }

  return {
    /** Takes units, waiting up to `waitMs` for them. Throws `concurrency_limit_exceeded`. */
    async acquire(request: UnitRequest, waitMs: number, signal: AbortSignal): Promise<Lease> {
      signal.throwIfAborted();
      const most = Math.min(request.limit ?? Number.POSITIVE_INFINITY, request.key?.limit ?? Number.POSITIVE_INFINITY);
      if (request.cost > most) throw neverFits(request, most);
      const queued = waiting.get(request.organizationId)?.length ?? 0;
      if (queued === 0 && fits(request)) return hold(request);
      if (waitMs <= 0) throw inUse(request);
      return wait(request, waitMs, signal);
    },

    /** What an organization holds at this moment. */
    live(organizationId: string): LiveUnits {
      const requests = [...(held.get(organizationId)?.values() ?? [])];
      return {
        used: usedBy(organizationId),
        requests: requests.map(({ id, cost, model, startedAt }) => ({ id, cost, model, startedAt })),
      };
    },

    /** Units held by everybody, for health figures and tests. */
    total: () => [...held.keys()].reduce((sum, organizationId) => sum + usedBy(organizationId), 0),
  };
}

export type Units = ReturnType<typeof createUnits>;

function unitsInUse({ cost, model }: UnitRequest, used: number, most: number, whose: string): AppError {
  const message = `All units are in use: ${used} of ${most} are busy and ${model} needs ${cost} (${whose}: ${most}). Try again when a request has ended, or send x-queue-timeout to wait your turn.`;
  return new AppError(429, "concurrency_limit_exceeded", message, {
    headers: { "retry-after": "2", "retry-after-ms": "2000" },
    details: { limit: most, used, cost, over_by: Math.max(0, used + cost - most) },
  });
}

function neverFits({ cost, model }: UnitRequest, most: number): AppError {
  return new AppError(
    403,
    "model_not_on_plan",
    `${model} needs ${cost} units and you have ${most} (plan limit: ${most}). A larger plan has more.`,
    {
      headers: { "x-should-retry": "false" },
      details: { limit: most, cost },
    },
  );
}
