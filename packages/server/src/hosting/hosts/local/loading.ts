import { messageOf } from "../../../platform/core/errors/message-of.ts";
import { chooseEngineSize, type EngineProcess, findRuntime, programOf, type Runtime } from "../../runtimes/index.ts";
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
    return isFailed(existingSlot) ? null : estimate.availability(existingSlot);
  }
  const model = registeredModels.get(id);
  const runtime = model ? findRuntime(runtimes, model) : null;
  const size = model && runtime ? chooseEngineSize(model, runtime.memory.budget) : null;
  if (!model || !size) return null;
  const slot = createSlot(model, size, readNow(context));
  slots.set(id, slot);
  loadSlot(context, slot);
  return isFailed(slot) ? null : estimate.availability(slot);
}

/**
 * Reserves memory for a model and starts its engine. Without enough memory the model keeps waiting. If the engine cannot be
 * started, the model counts as failed.
 */
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
  try {
    slot.engine = startEngine(context, slot, runtime);
  } catch (error) {
    fail(context, slot, messageOf(error)); // for example, the disk has no space for the folder of its socket
  }
}

function startEngine(context: LocalContext, slot: Slot, runtime: Runtime): EngineProcess {
  const { id, file, projector, isReranker, toolParser, reasoningParser } = slot.model;
  const { contextLength, sequences, bytes: memoryBytes } = slot.size;
  return runtime.start(
    { id, file, projector, isReranker, contextLength, sequences, memoryBytes, toolParser, reasoningParser },
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
  context.registry.remove(engineBackendName(slot.model.id));
  if (isLeaving(slot)) return;
  slot.failures += 1;
  Object.assign(slot, { state: "restarting", reason, progress: 0, restartsAt: readNow(context) + restartsInMs });
  if (slot.failures >= FAILURES_BEFORE_COOLDOWN && !slot.model.pinned) fail(context, slot, reason);
}

function fail(context: LocalContext, slot: Slot, reason: string): void {
  context.log.warn({ model: slot.model.id, reason }, "the model cannot be loaded; it rests for a while");
  Object.assign(slot, { state: "failed", reason, restartsAt: readNow(context) + COOLDOWN_MS });
  void stopEngine(context, slot);
}

/** Stops the engine of a model. Resolves when its process has ended and its memory is free. */
function stopEngine(context: LocalContext, slot: Slot): Promise<void> {
  slot.stopping ??= endEngine(context, slot);
  return slot.stopping;
}

async function endEngine({ registry }: LocalContext, slot: Slot): Promise<void> {
  registry.remove(engineBackendName(slot.model.id));
  await slot.engine?.stop();
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

function isLeaving(slot: Slot): boolean {
  return slot.state === "unloading" || isFailed(slot);
}

function isFailed({ state }: Slot): boolean {
  return state === "failed";
}
