import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { RuntimeName } from "../../runtimes/index.ts";
import {
  chooseEngineSize,
  explainMissingRuntime,
  findRuntime,
  type HostedModel,
  listRuntimes,
  type Runtime,
  type Runtimes,
  smallestEngineBytes,
} from "../../runtimes/index.ts";
import {
  type Availability,
  COLD_AVAILABILITY,
  engineBackendName,
  type HostRegistry,
  type LoadedModel,
  type ModelHost,
} from "../host.ts";
import { createLoadEstimate, type LoadEstimate } from "./load-estimate.ts";
import { createSlot, type Slot } from "./slot.ts";

type Deps = {
  runtimes: Runtimes;
  registry: HostRegistry;
  clock: Clock;
  /** Idle time after which a model is unloaded, in milliseconds. */
  idleMs: number;
  log: Pick<Logger, "warn">;
};

const FAILURES_BEFORE_COOLDOWN = 3;
const COOLDOWN_MS = 300_000;
/** A model that waits for memory stops waiting if it has not been called for this long. */
const WAITING_TIMEOUT_MS = 120_000;
/** A model that was used this recently is not evicted, since another call may follow. */
const RECENT_USE_MS = 2_000;

type Context = Deps & {
  /** The models that can be called, by id. */
  registeredModels: Map<string, HostedModel>;
  /** The models that are loaded, loading, or wait for memory, by id. */
  slots: Map<string, Slot>;
  estimate: LoadEstimate;
};

/**
 * Loads models when they are called, each in its own process. Unloads them after their idle time, and the least
 * recently used first when another model needs the memory. Models with calls in flight are not unloaded.
 */
export function createLocalHost(deps: Deps): ModelHost {
  const { runtimes, clock } = deps;
  const context: Context = {
    ...deps,
    registeredModels: new Map(),
    slots: new Map(),
    estimate: createLoadEstimate(clock),
  };
  const { registeredModels, slots } = context;
  const available = listRuntimes(runtimes);
  for (const { name, runtime } of available) runtime.memory.onShortage((bytes) => freeMemory(context, name, bytes));
  const listeners = available.map(({ runtime }) => runtime.memory.onReleased(() => retryWaiting(context)));
  return {
    wake: async (id) => wakeModel(context, id),
    state: async (id) => readAvailability(context, id),
    ...bind(context, {
      register: registerModel,
      unregister: unregisterModel,
      unload: unloadModel,
      reload: reloadModel,
      availability: readAvailability,
      isLoadingPinned,
      failure: findFailure,
      loadingProblem: findLoadingProblem,
      listLoaded: listLoadedModels,
    }),
    find: (id) => registeredModels.get(id) ?? null,
    ids: () => [...registeredModels.keys()],
    isLoaded: (id) => slots.has(id) && slots.get(id)?.state !== "failed",
    isWarm: (id) => slots.get(id)?.state === "warm",
    completeRegistration: () => {},
    job: { name: "unload idle models", everySeconds: 5, run: () => unloadIdle(context) },
    async stop(): Promise<void> {
      for (const stopListening of listeners) stopListening();
      for (const { runtime } of available) runtime.memory.onShortage(() => {});
      registeredModels.clear();
      await Promise.all([...slots.keys()].map((id) => unloadModel(context, id)));
    },
  };
}

/** Makes a model callable. It is loaded by the first call, or at once if it is pinned. */
function registerModel(context: Context, model: HostedModel): void {
  context.registeredModels.set(model.id, model);
  const slot = context.slots.get(model.id);
  if (slot?.model.file === model.file) slot.model = model;
  if (model.pinned) wakeModel(context, model.id);
}

/** Unloads a model and makes it uncallable. */
async function unregisterModel(context: Context, id: string): Promise<void> {
  context.registeredModels.delete(id);
  await unloadModel(context, id);
}

/** Unloads a model and loads it again; returns false if its file is not on this machine. */
function reloadModel(context: Context, id: string): boolean {
  if (!context.registeredModels.has(id)) return false;
  void unloadModel(context, id).then(() => wakeModel(context, id));
  return true;
}

/** Returns whether a pinned model is being loaded for the first time. */
function isLoadingPinned({ slots }: Context): boolean {
  return [...slots.values()].some(
    ({ model, state, failures }) => model.pinned && state === "loading" && failures === 0,
  );
}

/** Returns why the engine of a model failed, without paths of this machine; null if it did not fail. */
function findFailure({ slots }: Context, id: string): string | null {
  const slot = slots.get(id);
  return slot?.state === "failed" ? describeProblem(slot) : null;
}

/** Returns the models that hold or wait for memory, those with the most memory first. */
function listLoadedModels(context: Context): LoadedModel[] {
  return [...context.slots.values()]
    .map((slot) => ({
      key: slot.model.id,
      runtime: runtimeName(slot.model),
      state: slot.state,
      reason: describeProblem(slot),
      memoryBytes: slot.release === null ? 0 : slot.size.bytes,
      contextLength: slot.size.contextLength,
      inFlight: countInFlight(context, slot),
      lastUsedAt: new Date(lastUsedAt(context, slot)),
    }))
    .sort((a, b) => b.memoryBytes - a.memoryBytes);
}

/** Returns the time in milliseconds since 1970. */
function readNow({ clock }: Context): number {
  return clock.now().getTime();
}

/** Starts loading a model unless it is loading already; returns null if it cannot be loaded. */
function wakeModel(context: Context, id: string): Availability | null {
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

/** Returns the state of a model that is not ready; null if it is ready or cannot be loaded here. */
function readAvailability({ registeredModels, slots, estimate, runtimes }: Context, id: string): Availability | null {
  const slot = slots.get(id);
  if (slot?.state === "warm" || slot?.state === "failed") return null;
  if (slot) return estimate.availability(slot);
  const model = registeredModels.get(id);
  return model && findRuntime(runtimes, model) ? COLD_AVAILABILITY : null;
}

async function unloadIdle(context: Context): Promise<void> {
  const { slots, idleMs } = context;
  for (const slot of slots.values()) {
    if (slot.state === "warm" && isBusy(context, slot)) slot.lastUsed = readNow(context);
    if (slot.state === "waiting" && readNow(context) - slot.lastUsed > WAITING_TIMEOUT_MS) slots.delete(slot.model.id);
  }
  await Promise.all(listIdleSlots(context, idleMs).map((slot) => unloadModel(context, slot.model.id)));
  retryWaiting(context);
}

/** Returns why a model cannot be loaded, without paths of this machine; null if it can be, or is being loaded. */
function findLoadingProblem({ registeredModels, slots, runtimes }: Context, id: string): string | null {
  const slot = slots.get(id);
  if (!slot) {
    const model = registeredModels.get(id);
    return model ? explainUnloadable(runtimes, model) : null;
  }
  const isStuck = slot.model.pinned && (slot.state === "waiting" || slot.failures >= FAILURES_BEFORE_COOLDOWN);
  return slot.state === "failed" || isStuck ? (describeProblem(slot) ?? "Its engine ends.") : null;
}

/** Returns why a model can never be loaded on this machine; null if it can be. */
function explainUnloadable(runtimes: Runtimes, model: HostedModel): string | null {
  const runtime = findRuntime(runtimes, model);
  if (runtime === null) return explainMissingRuntime(runtimes, model);
  const bytes = smallestEngineBytes(model);
  return bytes > runtime.memory.budget ? notEnoughMemory(runtime, bytes, runtime.memory.budget) : null;
}

/** Returns the failure of a slot, without paths of this machine; null without one. */
function describeProblem({ reason }: Slot): string | null {
  return reason === null ? null : stripFolders(reason);
}

function loadSlot(context: Context, slot: Slot): void {
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

function handleReady(context: Context, slot: Slot, { socketPath, apiKey }: Endpoint): void {
  if (isLeaving(slot)) return;
  const { id, size } = slot.model;
  if (slot.state === "loading") context.estimate.recordLoad(size, readNow(context) - slot.startedAt);
  Object.assign(slot, { state: "warm", failures: 0, reason: null, lastUsed: readNow(context) });
  const served = { models: new Map([[id, id]]), contextLengths: new Map([[id, slot.size.contextLength]]) };
  const program = runtimeName(slot.model) === "vllm" ? "vllm" : "engine";
  const address = { baseUrl: "http://engine/v1", socketPath, apiKey };
  context.registry.set({ name: engineBackendName(id), source: "engine", ...address, weight: 1, ...served, program });
}

function handleExit(context: Context, slot: Slot, reason: string, restartsInMs: number): void {
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

async function stopEngine({ registry }: Context, slot: Slot): Promise<void> {
  registry.remove(engineBackendName(slot.model.id));
  const { engine } = slot;
  slot.engine = null;
  await engine?.stop();
  slot.release?.();
  slot.release = null;
}

/** Unloads a model. */
function unloadModel(context: Context, id: string): Promise<void> {
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

function lastUsedAt({ registry }: Context, { lastUsed, model }: Slot): number {
  return Math.max(lastUsed, registry.lastAnswerAt(model.id));
}

function isBusy(context: Context, slot: Slot): boolean {
  return countInFlight(context, slot) > 0;
}

function countInFlight({ registry }: Context, { model }: Slot): number {
  return registry.list().find(({ name }) => name === engineBackendName(model.id))?.inFlight ?? 0;
}

function runtimeName({ runtime = "llama.cpp" }: HostedModel): RuntimeName {
  return runtime;
}

/** Returns the slots that may be unloaded and were not used for the given time, the least recently used first. */
function listIdleSlots(context: Context, milliseconds: number): Slot[] {
  return [...context.slots.values()]
    .filter((slot) => slot.state === "warm" && !slot.model.pinned && !isBusy(context, slot))
    .filter((slot) => readNow(context) - lastUsedAt(context, slot) >= milliseconds)
    .sort((a, b) => lastUsedAt(context, a) - lastUsedAt(context, b));
}

/**
 * Unloads idle models of a runtime to free the given number of bytes; unloads none if all of them together would not free
 * enough.
 */
function freeMemory(context: Context, runtime: RuntimeName, bytes: number): void {
  const hasRuntime = ({ model }: Slot) => runtimeName(model) === runtime;
  const unloadingSlots = [...context.slots.values()].filter((slot) => slot.state === "unloading" && hasRuntime(slot));
  let missingBytes = bytes - unloadingSlots.reduce((sum, slot) => sum + slot.size.bytes, 0);
  const slotsToUnload: Slot[] = [];
  for (const slot of listIdleSlots(context, RECENT_USE_MS).filter(hasRuntime)) {
    if (missingBytes <= 0) break;
    slotsToUnload.push(slot);
    missingBytes -= slot.size.bytes;
  }
  if (missingBytes > 0) return; // unloading them would not free enough
  for (const slot of slotsToUnload) void unloadModel(context, slot.model.id);
}

function retryWaiting(context: Context): void {
  for (const slot of context.slots.values()) if (slot.state === "waiting") loadSlot(context, slot);
}

const BYTES_PER_MEGABYTE = 1024 * 1024;

function notEnoughMemory({ memorySetting, memoryName }: Runtime, needed: number, free: number): string {
  return (
    `It needs ${Math.ceil(needed / BYTES_PER_MEGABYTE)} MB of ${memoryName}, and ${Math.max(0, Math.floor(free / BYTES_PER_MEGABYTE))} MB are free ` +
    `for models. The operator can give them more by ${memorySetting}.`
  );
}

/** Replaces paths by file names. */
const stripFolders = (text: string): string => text.replaceAll(/\/(?:[^\s/'":,;]+\/)+/g, "");
