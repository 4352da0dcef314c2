import { bind } from "../../platform/core/bind.ts";
import type { AppError } from "../../platform/core/errors/index.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { SECOND_MS } from "../../platform/core/time.ts";
import { type DailyLimit, dailyLimitReached } from "./daily-limit.ts";
import type { DailyRequests } from "./daily-requests.ts";
import type { SharedLimit } from "./shared-limit.ts";

const MAX_BLOCK_REQUESTS = 100;
/** The largest share of the remaining requests that one replica reserves at a time. */
const BLOCK_FRACTION = 1 / 4;

/** Requests that this replica has reserved of an organization's day. Times are of its monotonic clock. */
type Block = {
  /** The UTC day; null before the first block. */
  day: string | null;
  endsAt: number;
  left: number;
  limit: number;
  /** The size of the last block. If that block was used up, the next one is twice as large. */
  size: number;
  wasUsed: boolean;
  /** The number of requests that wait for the next block. */
  waiting: number;
  taking: Promise<void> | null;
};
type Context = { replicas: Replicas; table: DailyRequests; now(): number; blocks: Map<string, Block> };

/**
 * Creates the limit of one of several replicas. Each reserves requests of the day in blocks, which grow with its use and
 * shrink as the limit comes near, and counts them in memory. The block of a killed replica counts as used.
 */
export function createSharedDailyLimit(
  replicas: Replicas,
  table: DailyRequests,
  now = () => performance.now(),
): DailyLimit & SharedLimit {
  const context: Context = { replicas, table, now, blocks: new Map() };
  return bind(context, { findRefusal, consume, tick, stop });
}

async function findRefusal(context: Context, organizationId: string, limit: number | null): Promise<AppError | null> {
  const block = context.blocks.get(organizationId);
  if (limit === null || (block && isCurrent(context, block, limit) && block.left > 0)) return null;
  const { counted, dayEndsInMs } = await context.table.read(organizationId);
  return counted >= limit ? toRefusal(limit, dayEndsInMs) : null;
}

async function consume(context: Context, organizationId: string, limit: number): Promise<() => void> {
  const block = getOrCreate(context, organizationId);
  block.wasUsed = true;
  while (!isCurrent(context, block, limit) || block.left === 0) await takeMore(context, organizationId, block, limit);
  block.left -= 1;
  const { day } = block;
  return () => {
    if (block.day === day) block.left += 1; // the next tick returns it to the table
  };
}

function getOrCreate({ blocks }: Context, organizationId: string): Block {
  const existing = blocks.get(organizationId);
  if (existing) return existing;
  const block: Block = {
    day: null,
    endsAt: 0,
    left: 0,
    limit: Number.POSITIVE_INFINITY,
    size: 0,
    wasUsed: true,
    waiting: 0,
    taking: null,
  };
  blocks.set(organizationId, block);
  return block;
}

/** Returns whether requests of a block count for today and were reserved under a limit that was not higher. */
const isCurrent = ({ now }: Context, block: Block, limit: number): boolean =>
  now() < block.endsAt && block.limit <= limit;

/** Waits for the next block, which all waiting requests share. Throws `rate_limit_exceeded` if the limit is reached. */
async function takeMore(context: Context, organizationId: string, block: Block, limit: number): Promise<void> {
  block.waiting += 1;
  block.taking ??= takeBlock(context, organizationId, block, limit).finally(() => {
    block.taking = null;
  });
  await block.taking.finally(() => {
    block.waiting -= 1;
  });
}

async function takeBlock(context: Context, organizationId: string, block: Block, limit: number): Promise<void> {
  const { table, now, replicas } = context;
  if (block.limit > limit) await giveBack(context, organizationId, block);
  const requestedAt = now();
  const isFirst = now() >= block.endsAt;
  const { taken, day, dayEndsInMs } = await table.take({
    organizationId,
    limit,
    isFirst,
    chooseCount: (free) =>
      Math.max(block.waiting, computeBlockSize({ free, lastSize: block.size, replicas: replicas.others().length + 1 })),
  });
  if (isFirst || block.day !== day) Object.assign(block, { day, left: 0 }); // the rest of a block expires with its day
  block.left += taken;
  Object.assign(block, { endsAt: requestedAt + dayEndsInMs, limit, size: taken });
  if (taken === 0) throw toRefusal(limit, dayEndsInMs);
}

/** Returns how many requests to reserve: twice as many as the last time, and fewer near the limit. */
export function computeBlockSize(block: { free: number; lastSize: number; replicas: number }): number {
  const { free, lastSize, replicas } = block;
  const max = Math.min(MAX_BLOCK_REQUESTS, Math.floor((free * BLOCK_FRACTION) / replicas));
  return Math.max(1, Math.min(max, 2 * lastSize));
}

async function giveBack({ table, now }: Context, organizationId: string, block: Block): Promise<void> {
  const { left, day, endsAt } = block;
  block.left = 0;
  block.size = 0;
  if (left === 0 || day === null || now() >= endsAt) return;
  // Not repeated if the response is lost: returning the requests twice would allow more than the limit.
  await table.giveBack(organizationId, day, left).catch(() => {});
}

function tick(context: Context): void {
  for (const [organizationId, block] of context.blocks) {
    if (!block.wasUsed) void giveBack(context, organizationId, block);
    block.wasUsed = false;
    if (context.now() >= block.endsAt && block.taking === null) context.blocks.delete(organizationId);
  }
}

async function stop(context: Context): Promise<void> {
  await Promise.all([...context.blocks].map(([organizationId, block]) => giveBack(context, organizationId, block)));
}

const toRefusal = (limit: number, dayEndsInMs: number): AppError =>
  dailyLimitReached(limit, Math.ceil(dayEndsInMs / SECOND_MS));
