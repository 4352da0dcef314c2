import { bind } from "../../platform/core/bind.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import { type BorrowedLimit, type Counter, unusedOf } from "./counter.ts";
import type { DailyRequests } from "./daily-requests.ts";

/** Limits the requests of an organization per UTC day. */
export type DailyLimit = {
  /** Returns the error that `consume` would throw now, or null. Does not count a request. */
  findRefusal(organizationId: string, limit: number | null): Promise<AppError | null>;
  /**
   * Counts a request. Throws `rate_limit_exceeded` at the limit. Returns the function that takes the count back if the
   * request is refused later.
   */
  consume(organizationId: string, limit: number): Promise<() => void>;
};

const MAX_BLOCK_REQUESTS = 100;
/** The largest share of the remaining requests that one replica borrows at a time. */
const BLOCK_FRACTION = 1 / 4;

/** Requests of an organization's day, borrowed in blocks. */
type Requests = Counter & {
  /** The UTC day; null before the first block. */
  day: string | null;
  /** When the day ends, on the clock of this process. */
  endsAt: number;
  /** The limit under which they were borrowed. */
  limit: number;
  /** The size of the last block. If that block was used up, the next one is twice as large. */
  size: number;
  wasUsed: boolean;
  /** The number of requests that wait for the next block. */
  waiting: number;
  borrowing: Promise<void> | null;
};
type Deps = {
  replicas: Pick<Replicas, "others">;
  lender: DailyRequests;
  /** Returns the time in milliseconds. The clock need not be the lender's. */
  now(): number;
};
type Context = Deps & { organizations: Map<string, Requests> };

/**
 * Creates the limit. Each process borrows requests of the day in blocks, which grow with its use and shrink as the limit
 * comes near, and counts them in memory. The block of a killed replica counts as used.
 */
export function createDailyLimit(deps: Deps): DailyLimit & BorrowedLimit {
  const context: Context = { ...deps, organizations: new Map() };
  return bind(context, { findRefusal, consume, tick, stop });
}

async function findRefusal(context: Context, organizationId: string, limit: number | null): Promise<AppError | null> {
  const requests = context.organizations.get(organizationId);
  if (limit === null || (requests && isCurrent(context, requests, limit) && unusedOf(requests) > 0)) return null;
  const { counted, dayEndsInMs } = await context.lender.read(organizationId);
  const unused = requests && context.now() < requests.endsAt ? unusedOf(requests) : 0;
  return counted - unused >= limit ? toRefusal(limit, dayEndsInMs) : null;
}

async function consume(context: Context, organizationId: string, limit: number): Promise<() => void> {
  const requests = getOrCreate(context, organizationId);
  requests.wasUsed = true;
  while (!isCurrent(context, requests, limit) || unusedOf(requests) === 0)
    await waitForBlock(context, organizationId, requests, limit);
  requests.used += 1;
  const { day } = requests;
  return () => {
    if (requests.day === day) requests.used -= 1; // the next tick returns it to the lender
  };
}

function getOrCreate({ organizations }: Context, organizationId: string): Requests {
  const existing = organizations.get(organizationId);
  if (existing) return existing;
  const requests: Requests = {
    used: 0,
    borrowed: 0,
    day: null,
    endsAt: 0,
    limit: Number.POSITIVE_INFINITY,
    size: 0,
    wasUsed: true,
    waiting: 0,
    borrowing: null,
  };
  organizations.set(organizationId, requests);
  return requests;
}

/** Returns whether requests count for today and were borrowed under a limit that was not higher. */
const isCurrent = ({ now }: Context, requests: Requests, limit: number): boolean =>
  now() < requests.endsAt && requests.limit <= limit;

/** Waits for the next block, which all waiting requests share. Throws `rate_limit_exceeded` if the limit is reached. */
async function waitForBlock(context: Context, organizationId: string, requests: Requests, limit: number) {
  requests.waiting += 1;
  requests.borrowing ??= borrowBlock(context, organizationId, requests, limit).finally(() => {
    requests.borrowing = null;
  });
  await requests.borrowing.finally(() => {
    requests.waiting -= 1;
  });
}

async function borrowBlock(context: Context, organizationId: string, requests: Requests, limit: number): Promise<void> {
  const { lender, now, replicas } = context;
  if (requests.limit > limit) await giveBack(context, organizationId, requests);
  const requestedAt = now();
  const isFirst = requestedAt >= requests.endsAt;
  const processes = replicas.others().length + 1;
  const { taken, day, dayEndsInMs } = await lender.take({
    organizationId,
    limit,
    isFirst,
    chooseCount: (free) =>
      Math.max(requests.waiting, computeBlockSize({ free, lastSize: requests.size, replicas: processes })),
  });
  if (isFirst || requests.day !== day) Object.assign(requests, { day, used: 0, borrowed: 0 }); // the rest expires
  requests.borrowed += taken;
  Object.assign(requests, { endsAt: requestedAt + dayEndsInMs, limit, size: taken });
  if (taken === 0) throw toRefusal(limit, dayEndsInMs);
}

/** Returns how many requests to borrow: twice as many as the last time, and fewer near the limit. */
export function computeBlockSize(block: { free: number; lastSize: number; replicas: number }): number {
  const { free, lastSize, replicas } = block;
  const max = Math.min(MAX_BLOCK_REQUESTS, Math.floor((free * BLOCK_FRACTION) / replicas));
  return Math.max(1, Math.min(max, 2 * lastSize));
}

async function giveBack({ lender, now }: Context, organizationId: string, requests: Requests): Promise<void> {
  const unused = unusedOf(requests);
  const { day, endsAt } = requests;
  requests.borrowed -= unused;
  requests.size = 0;
  if (unused === 0 || day === null || now() >= endsAt) return;
  // Not repeated if the response is lost: returning the requests twice would allow more than the limit.
  await lender.giveBack(organizationId, day, unused).catch(() => {});
}

function tick(context: Context): void {
  for (const [organizationId, requests] of context.organizations) {
    if (!requests.wasUsed) void giveBack(context, organizationId, requests);
    requests.wasUsed = false;
    if (context.now() >= requests.endsAt && requests.borrowing === null) context.organizations.delete(organizationId);
  }
}

async function stop(context: Context): Promise<void> {
  await Promise.all([...context.organizations].map(([id, requests]) => giveBack(context, id, requests)));
}

/** Returns the error for a request over the daily limit. */
function toRefusal(limit: number, dayEndsInMs: number): AppError {
  const message = `The plan allows ${limit} requests a day (plan limit: ${limit}), and they are used up. They start again at midnight UTC.`;
  return errors.rateLimitExceeded(message, {
    retry: false,
    retryAfterSeconds: 30, // clients ignore longer waits
    details: { limit, reset_in_seconds: Math.ceil(dayEndsInMs / SECOND_MS) },
  });
}
