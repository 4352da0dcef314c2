import { type AppError, errors } from "../../platform/core/errors/index.ts";

/** A waiting request: its organization and the size of its body in bytes. */
export type Waiter = { organizationId: string; bytes: number };
/** Limits for waiting requests and the bytes of their bodies, per organization and per process. */
export type WaitQueueLimits = {
  organization: { requests: number; bytes: number };
  total: { requests: number; bytes: number };
};

const MEGABYTE_BYTES = 1024 * 1024;
const DEFAULT_LIMITS: WaitQueueLimits = {
  organization: { requests: 64, bytes: 32 * MEGABYTE_BYTES },
  total: { requests: 512, bytes: 128 * MEGABYTE_BYTES },
};

/**
 * Limits the requests that wait in this process for units or for a model to load, because each keeps its body in memory.
 * `enter` returns the function that ends the wait. It throws `concurrency_limit_exceeded` if the queue is full.
 */
export function createWaitQueue(limits = DEFAULT_LIMITS) {
  const organizations = new Map<string, { requests: number; bytes: number }>();
  const total = { requests: 0, bytes: 0 };

  return {
    enter({ organizationId, bytes }: Waiter): () => void {
      const organizationCount = organizations.get(organizationId) ?? { requests: 0, bytes: 0 };
      if (isFull(organizationCount, bytes, limits.organization))
        throw queueFull("Your organization has", organizationCount.requests);
      if (isFull(total, bytes, limits.total)) throw queueFull("The server has", total.requests);
      organizations.set(organizationId, organizationCount);
      for (const count of [organizationCount, total]) add(count, 1, bytes);
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        for (const count of [organizationCount, total]) add(count, -1, -bytes);
        if (organizationCount.requests === 0) organizations.delete(organizationId);
      };
    },
    /** Returns the number of waiting requests, and the bytes of their bodies. */
    size: () => ({ ...total }),
  };
}

export type WaitQueue = ReturnType<typeof createWaitQueue>;

function isFull(held: { requests: number; bytes: number }, bytes: number, max: { requests: number; bytes: number }) {
  return held.requests + 1 > max.requests || held.bytes + bytes > max.bytes;
}

function add(count: { requests: number; bytes: number }, requests: number, bytes: number): void {
  count.requests += requests;
  count.bytes += bytes;
}

function queueFull(subject: string, waiting: number): AppError {
  const message = `${subject} too many requests waiting already (${waiting}). Try again when some have been answered.`;
  return errors.concurrencyLimitExceeded(message, {
    headers: { "retry-after": "5", "retry-after-ms": "5000" },
    details: { waiting },
  });
}
