import { AppError } from "../shared/errors.ts";

/** A request that waits: its organization and the size of its body. */
export type Waiter = { organizationId: string; bytes: number };
/** Limits for waiting requests and the bytes of their bodies, per organization and per process. */
export type WaitingLineLimits = {
  organization: { requests: number; bytes: number };
  total: { requests: number; bytes: number };
};

const MEGABYTE = 1024 * 1024;
const DEFAULT_LIMITS: WaitingLineLimits = {
  organization: { requests: 64, bytes: 32 * MEGABYTE },
  total: { requests: 512, bytes: 128 * MEGABYTE },
};

/**
 * Limits the requests that wait in this process for units or for a model to load, because each keeps its body in
 * memory. `enter` returns the function that ends the wait; it throws `concurrency_limit_exceeded` when the queue is
 * full.
 */
export function createWaitingLine(limits = DEFAULT_LIMITS) {
  const organizations = new Map<string, { requests: number; bytes: number }>();
  const total = { requests: 0, bytes: 0 };

  return {
    enter({ organizationId, bytes }: Waiter): () => void {
      const own = organizations.get(organizationId) ?? { requests: 0, bytes: 0 };
      if (isFull(own, bytes, limits.organization)) throw lineIsFull("Your organization has", own.requests);
      if (isFull(total, bytes, limits.total)) throw lineIsFull("The server has", total.requests);
      organizations.set(organizationId, own);
      for (const count of [own, total]) add(count, 1, bytes);
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        for (const count of [own, total]) add(count, -1, -bytes);
        if (own.requests === 0) organizations.delete(organizationId);
      };
    },
    /** Number of waiting requests, and bytes of their bodies. */
    size: () => ({ ...total }),
  };
}

export type WaitingLine = ReturnType<typeof createWaitingLine>;

function isFull(held: { requests: number; bytes: number }, bytes: number, most: { requests: number; bytes: number }) {
  return held.requests + 1 > most.requests || held.bytes + bytes > most.bytes;
}

function add(count: { requests: number; bytes: number }, requests: number, bytes: number): void {
  count.requests += requests;
  count.bytes += bytes;
}

function lineIsFull(who: string, waiting: number): AppError {
  const message = `${who} too many requests waiting already (${waiting}). Try again when some have been answered.`;
  return new AppError(429, "concurrency_limit_exceeded", message, {
    headers: { "retry-after": "5", "retry-after-ms": "5000" },
    details: { waiting },
  });
}
