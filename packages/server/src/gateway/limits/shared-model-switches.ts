import { bind } from "../../platform/core/bind.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { MINUTE_MS, SECOND_MS } from "../../platform/core/time.ts";
import { type BorrowedLimit, runAfterLastWrite } from "./counter.ts";
import type { ModelSwitchTable, SwitchRow } from "./model-switch-table.ts";
import { type ModelSwitches, type RefundSwitch, tooManySwitches } from "./model-switches.ts";

/** For this long, a replica may call a model without another query of the table. */
const HOLD_MS = 10 * SECOND_MS;
/** After this time without a call, the time of the last call is written to the table. */
const IDLE_MS = 5 * SECOND_MS;

/** A model that this replica calls for an organization. Times are of this process's monotonic clock. */
type Hold = {
  row: SwitchRow;
  /** When the model was called last; null if it was not, or all calls were taken back. */
  lastCallAt: number | null;
  /** The number of calls. */
  calls: number;
  /** Until when it may be called without a query. The table counts it for a minute longer. */
  until: number;
  /** Whether the table counts the model for longer than its last call requires. */
  isAhead: boolean;
  /** Resolves when the last write of the row has ended. */
  lastWrite: Promise<void>;
  /** The number of writes that have not ended. */
  writes: number;
};
type Context = { replicas: Replicas; table: ModelSwitchTable; now(): number; holds: Map<string, Hold> };

/**
 * Creates the limit of one of several replicas. For a model without a recent call, it queries the table, which then counts
 * the model in advance, so that further calls need no query.
 */
export function createSharedModelSwitches(
  replicas: Replicas,
  table: ModelSwitchTable,
  now = () => performance.now(),
): ModelSwitches & BorrowedLimit {
  const context: Context = { replicas, table, now, holds: new Map() };
  return bind(context, { findRefusal, consume, tick, stop });
}

async function findRefusal(context: Context, organizationId: string, model: string, limit: number | null) {
  if (limit === null || isHeld(context, context.holds.get(keyOf(organizationId, model)))) return null;
  const freeInMs = await context.table.read(organizationId, model, limit);
  return freeInMs === null ? null : tooManySwitches(limit, freeInMs);
}

function consume(
  context: Context,
  organizationId: string,
  model: string,
  limit: number | null,
): RefundSwitch | Promise<RefundSwitch> {
  if (limit === null) return () => {};
  const hold = getOrCreate(context, organizationId, model);
  if (!isHeld(context, hold)) return consumeAfterAsking(context, hold, limit);
  const isHalfOver = hold.until - context.now() < HOLD_MS / 2;
  // If this fails, the call after the end of the hold queries the table again.
  if (isHalfOver && hold.writes === 0) writeRow(hold, () => take(context, hold, limit)).catch(() => {});
  return recordCall(context, hold);
}

function consumeAfterAsking(context: Context, hold: Hold, limit: number): Promise<RefundSwitch> {
  return writeRow(hold, async () => {
    if (!isHeld(context, hold)) await take(context, hold, limit);
    return recordCall(context, hold);
  });
}

const keyOf = (organizationId: string, model: string): string => `${organizationId} ${model}`;

function getOrCreate({ holds, replicas }: Context, organizationId: string, model: string): Hold {
  const key = keyOf(organizationId, model);
  const existing = holds.get(key);
  if (existing) return existing;
  const row = { organizationId, model, replicaId: replicas.id() };
  const hold: Hold = {
    row,
    lastCallAt: null,
    calls: 0,
    until: 0,
    isAhead: false,
    lastWrite: Promise.resolve(),
    writes: 0,
  };
  holds.set(key, hold);
  return hold;
}

const isHeld = ({ now }: Context, hold: Hold | undefined): boolean => hold !== undefined && now() < hold.until;

/** Reserves the model in the table. Throws `model_switch_limit`. */
async function take({ table, now }: Context, hold: Hold, limit: number): Promise<void> {
  const requestedAt = now();
  hold.isAhead = true; // even if the answer does not arrive
  const freeInMs = await table.take(hold.row, limit, HOLD_MS);
  hold.isAhead = freeInMs === null;
  if (freeInMs !== null) throw tooManySwitches(limit, freeInMs);
  hold.until = requestedAt + HOLD_MS;
}

function recordCall(context: Context, hold: Hold): RefundSwitch {
  const previousCallAt = hold.lastCallAt;
  hold.lastCallAt = context.now();
  hold.calls += 1;
  const { calls } = hold;
  return () => {
    if (hold.calls !== calls) return; // called again meanwhile
    hold.calls += 1;
    hold.lastCallAt = previousCallAt;
    release(context, hold);
  };
}

/** Writes the time of the model's last call. From then on, the next call queries the table first. */
function release({ table, now }: Context, hold: Hold): void {
  writeRow(hold, async () => {
    hold.until = 0;
    await table.release(hold.row, hold.lastCallAt === null ? null : now() - hold.lastCallAt);
    hold.isAhead = false;
  }).catch(() => {}); // the next tick writes it again
}

/** Writes the row when its last write has ended. */
function writeRow<T>(hold: Hold, write: () => Promise<T>): Promise<T> {
  hold.writes += 1;
  return runAfterLastWrite(hold, () =>
    write().finally(() => {
      hold.writes -= 1;
    }),
  );
}

function tick(context: Context): void {
  for (const [key, hold] of context.holds) {
    const idleMs = hold.lastCallAt === null ? Number.POSITIVE_INFINITY : context.now() - hold.lastCallAt;
    if (hold.isAhead && hold.writes === 0 && idleMs >= IDLE_MS) release(context, hold);
    if (!hold.isAhead && hold.writes === 0 && idleMs >= MINUTE_MS) context.holds.delete(key);
  }
}

async function stop(context: Context): Promise<void> {
  for (const hold of context.holds.values()) if (hold.isAhead) release(context, hold);
  await Promise.all([...context.holds.values()].map(({ lastWrite }) => lastWrite));
}
