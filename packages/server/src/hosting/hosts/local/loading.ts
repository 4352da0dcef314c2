import { chooseEngineSize, findRuntime, programOf } from "../../runtimes/index.ts";
import { type Availability, engineBackendName } from "../host.ts";
import { FAILURES_BEFORE_COOLDOWN, type LocalContext, readNow } from "./host-context.ts";
import { notEnoughMemory } from "./model-states.ts";
import { createSlot, type Slot } from "./slot.ts";

const COOLDOWN_MS = 300_000;

/** Starts loading a model unless it is loading already; returns null if it cannot be loaded. */
export function wakeModel(context: LocalContext, id: string): Availability | null {
  const { registeredModels, slots, estimate, runtimes } = context;
  const existingSlot = slots.get(id);
  if (existingSlot?.state === "failed") {
    if (readNow(context) < existingSlot.restartsAt) return null;
    slots.delete(id);
    return wakeModel(context, id);
  }
  if (existingSlot) {
    existingSlot.lastUsed = readNow(context);
    existingSlot.reloadAfterUnload = existingSlot.state === "unloading";
    if (existingSlot.state === "waiting") loadSlot(context, existingSlot);
    return estimate.availability(existingSlot);
  }
  const model = registeredModels.get(id);
  const runtime = model ? findRuntime(runtimes, model) : null;
  const size = model && runtime ? chooseEngineSize(model, runtime.memory.budget) : null;
  if (!model || !size) return null;
  const slot = createSlot(model, size, readNow(context));
  slots.set(id, slot);
  loadSlot(context, slot);
  return estimate.availability(slot);
}

/** Reserves memory for a model and starts its engine. Without enough memory the model keeps waiting. */
export function loadSlot(context: LocalContext, slot: Slot): void {
  const { runtimes, log } = context;
  const runtime = findRuntime(runtimes, slot.model);
  if (runtime === null) return;
  const { memory } = runtime;
  slot.release = memory.reserve(slot.size.bytes);
  if (slot.release === null) {
    if (slot.model.pinned && slot.reason === null) {
      slot.reason = notEnoughMemory(runtime, slot.size.bytes, memory.free());
      log.warn({ model: slot.model.id, reason: slot.reason }, "the model waits for memory");
    }
    return;
  }
  slot.reason = null;
  Object.assign(slot, { state: "loading", progress: 0, startedAt: readNow(context) });
  const { id, file, toolParser, reasoningParser } = slot.model;
  const { contextLength, sequences, bytes: memoryBytes } = slot.size;
  slot.engine = runtime.start(
    { id, file, contextLength, sequences, memoryBytes, toolParser, reasoningParser },
    {
      ready: (socketPath, apiKey) => handleReady(context, slot, { socketPath, apiKey }),
      exited: (reason, restartsInMs) => handleExit(context, slot, reason, restartsInMs),
      progress: (share) => {
        if (slot.state === "restarting") Object.assign(slot, { state: "loading", startedAt: readNow(context) });
        slot.progress = share;
      },
    },
  );
}

type Endpoint = { socketPath: string; apiKey: string | undefined };

function handleReady(context: LocalContext, slot: Slot, { socketPath, apiKey }: Endpoint): void {
  if (isLeaving(slot)) return;
  const { id, size } = slot.model;
  if (slot.state === "loading") context.estimate.recordLoad(size, readNow(context) - slot.startedAt);
  Object.assign(slot, { state: "warm", failures: 0, reason: null, lastUsed: readNow(context) });
  const served = { models: new Map([[id, id]]), contextLengths: new Map([[id, slot.size.contextLength]]) };
  const program = programOf(slot.model);
  const address = { baseUrl: "http://engine/v1", socketPath, apiKey };
  context.registry.set({ name: engineBackendName(id), source: "engine", ...address, weight: 1, ...served, program });
}

function handleExit(context: LocalContext, slot: Slot, reason: string, restartsInMs: number): void {
  const { registry, log } = context;
  registry.remove(engineBackendName(slot.model.id));
  if (isLeaving(slot)) return;
  slot.failures += 1;
  Object.assign(slot, { state: "restarting", reason, progress: 0, restartsAt: readNow(context) + restartsInMs });
  if (slot.failures < FAILURES_BEFORE_COOLDOWN || slot.model.pinned) return;
  log.warn({ model: slot.model.id, reason }, "the model cannot be loaded; it rests for a while");
  Object.assign(slot, { state: "failed", restartsAt: readNow(context) + COOLDOWN_MS });
  void stopEngine(context, slot);
}

async function stopEngine({ registry }: LocalContext, slot: Slot): Promise<void> {
  registry.remove(engineBackendName(slot.model.id));
  const { engine } = slot;
  slot.engine = null;
  await engine?.stop();
  slot.release?.();
  slot.release = null;
}

/** Unloads a model. */
export function unloadModel(context: LocalContext, id: string): Promise<void> {
  const slot = context.slots.get(id);
  if (!slot) return Promise.resolve();
  slot.state = "unloading";
  slot.unloading ??= stopEngine(context, slot).then(() => {
    context.slots.delete(id);
    if (slot.reloadAfterUnload) wakeModel(context, id);
  });
  return slot.unloading;
}

function isLeaving({ state }: Slot): boolean {
  return state === "unloading" || state === "failed";
}
