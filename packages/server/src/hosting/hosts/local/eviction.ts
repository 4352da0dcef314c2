import { findRuntime, type MemoryBudget } from "../../runtimes/index.ts";
import { isBusy, type LocalContext, lastUsedAt, readNow } from "./host-context.ts";
import { loadSlot, unloadModel } from "./loading.ts";
import type { Slot } from "./slot.ts";

/** A model that waits for memory stops waiting if it has not been called for this long. */
const WAITING_TIMEOUT_MS = 120_000;

/** A model that was used this recently is not evicted, since another call may follow. */
const RECENT_USE_MS = 2_000;

/** Unloads models after their idle time, and gives up models that nobody waits for any longer. */
export async function unloadIdle(context: LocalContext): Promise<void> {
  const { slots, idleMs } = context;
  for (const slot of slots.values()) {
    if (slot.state === "warm" && isBusy(context, slot)) slot.lastUsed = readNow(context);
    if (slot.state === "waiting" && readNow(context) - slot.lastUsed > WAITING_TIMEOUT_MS) slots.delete(slot.model.id);
  }
  await Promise.all(listIdleSlots(context, idleMs).map((slot) => unloadModel(context, slot.model.id)));
  retryWaiting(context);
}

/** Returns the slots that may be unloaded and were not used for the given time, the least recently used first. */
function listIdleSlots(context: LocalContext, milliseconds: number): Slot[] {
  return [...context.slots.values()]
    .filter((slot) => slot.state === "warm" && !slot.model.pinned && !isBusy(context, slot))
    .filter((slot) => readNow(context) - lastUsedAt(context, slot) >= milliseconds)
    .sort((a, b) => lastUsedAt(context, a) - lastUsedAt(context, b));
}

/**
 * Unloads idle models in a memory to free the given number of bytes; unloads none if all of them together would not free
 * enough.
 */
export function freeMemory(context: LocalContext, memory: MemoryBudget, bytes: number): void {
  const isInMemory = ({ model }: Slot) => findRuntime(context.runtimes, model)?.memory === memory;
  const unloadingSlots = [...context.slots.values()].filter((slot) => slot.state === "unloading" && isInMemory(slot));
  let missingBytes = bytes - unloadingSlots.reduce((sum, slot) => sum + slot.size.bytes, 0);
  const slotsToUnload: Slot[] = [];
  for (const slot of listIdleSlots(context, RECENT_USE_MS).filter(isInMemory)) {
    if (missingBytes <= 0) break;
    slotsToUnload.push(slot);
    missingBytes -= slot.size.bytes;
  }
  if (missingBytes > 0) return; // unloading them would not free enough
  for (const slot of slotsToUnload) void unloadModel(context, slot.model.id);
}

/** Tries to load the models that wait for memory. */
export function retryWaiting(context: LocalContext): void {
  for (const slot of context.slots.values()) if (slot.state === "waiting") loadSlot(context, slot);
}
