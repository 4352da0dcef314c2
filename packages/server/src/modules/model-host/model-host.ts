import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { StartEngine } from "../../engine/engine-process.ts";
import type { BackendRegistry } from "../../gateway/backends/registry.ts";
import type { ModelHost as GatewayPort } from "../../gateway/model-host.ts";
import { type Availability, COLD_AVAILABILITY, createLoadEstimate } from "./load-estimate.ts";
import { estimateEngineBytes, type MemoryBudget } from "./memory-budget.ts";
import { createSlot, type HostedModel, type Slot } from "./slot.ts";

type Deps = {
  start: StartEngine;
  registry: Pick<BackendRegistry, "set" | "remove" | "list" | "lastAnswerAt">;
  memory: MemoryBudget;
  clock: Clock;
  /** Idle time after which a model is unloaded, in milliseconds. */
  idleMs: number;
  log: Pick<Logger, "warn">;
};

const FAILURES_BEFORE_COOLDOWN = 3;
const COOLDOWN_MS = 300_000;
/** A model that waits for memory is dropped if it has not been called for this long. */
const WAITING_TIMEOUT_MS = 120_000;
/** A model that was used just now is not evicted, since another call may be on its way. */
const RECENT_USE_MS = 2_000;

/** Returns the name in the backend registry of the engine that runs a model. */
export const engineBackendName = (modelId: string) => `engine:${modelId}`;

/**
 * Loads models when they are called, each in its own process. Unloads them after their idle time, and the least
 * recently used first when another model needs the memory. Models with calls in flight are not unloaded.
 */
export function createModelHost({ start, registry, memory, clock, idleMs, log }: Deps) {
  const registeredModels = new Map<string, HostedModel>();
  const slots = new Map<string, Slot>();
  const estimate = createLoadEstimate(clock);
  const now = () => clock.now().getTime();

  function load(slot: Slot): void {
    slot.release = memory.reserve(slot.bytes);
    if (slot.release === null) {
      if (slot.model.pinned && slot.reason === null) {
        slot.reason = notEnoughMemory(slot.bytes, memory.free());
        log.warn({ model: slot.model.id, reason: slot.reason }, "the model waits for memory");
      }
      return;
    }
    slot.reason = null;
    Object.assign(slot, { state: "loading", progress: 0, startedAt: now() });
    const { id, file, contextLength } = slot.model;
    slot.engine = start(
      { id, file, contextLength },
      {
        ready: (socketPath) => ready(slot, socketPath),
        exited: (reason, restartsInMs) => gone(slot, reason, restartsInMs),
        progress: (share) => {
          if (slot.state === "restarting") Object.assign(slot, { state: "loading", startedAt: now() });
          slot.progress = share;
        },
      },
    );
  }

  const isLeaving = ({ state }: Slot) => state === "unloading" || state === "failed";

  function ready(slot: Slot, socketPath: string): void {
    if (isLeaving(slot)) return;
    const { id, size } = slot.model;
    if (slot.state === "loading") estimate.recordLoad(size, now() - slot.startedAt);
    Object.assign(slot, { state: "warm", failures: 0, reason: null, lastUsed: now() });
    const models = new Map([[id, id]]);
    const baseUrl = "http://engine/v1";
    registry.set({ name: engineBackendName(id), source: "engine", baseUrl, socketPath, weight: 1, models });
  }

  function gone(slot: Slot, reason: string, restartsInMs: number): void {
    registry.remove(engineBackendName(slot.model.id));
    if (isLeaving(slot)) return;
    slot.failures += 1;
    Object.assign(slot, { state: "restarting", reason, progress: 0, restartsAt: now() + restartsInMs });
    if (slot.failures < FAILURES_BEFORE_COOLDOWN || slot.model.pinned) return;
    log.warn({ model: slot.model.id, reason }, "the model cannot be loaded; it rests for a while");
    Object.assign(slot, { state: "failed", restartsAt: now() + COOLDOWN_MS });
    void stopEngine(slot);
  }

  async function stopEngine(slot: Slot): Promise<void> {
    registry.remove(engineBackendName(slot.model.id));
    const { engine } = slot;
    slot.engine = null;
    await engine?.stop();
    slot.release?.();
    slot.release = null;
  }

  function unload(id: string): Promise<void> {
    const slot = slots.get(id);
    if (!slot) return Promise.resolve();
    slot.state = "unloading";
    slot.unloading ??= stopEngine(slot).then(() => {
      slots.delete(id);
      if (slot.reloadAfterUnload) wake(id);
    });
    return slot.unloading;
  }

  const lastUsedAt = ({ lastUsed, model }: Slot) => Math.max(lastUsed, registry.lastAnswerAt(model.id));
  const isBusy = ({ model }: Slot) =>
    registry.list().some(({ name, inFlight }) => name === engineBackendName(model.id) && inFlight > 0);

  /** Returns the slots that may be unloaded and were not used for this long, the least recently used first. */
  function listIdleSlots(milliseconds: number): Slot[] {
    return [...slots.values()]
      .filter((slot) => slot.state === "warm" && !slot.model.pinned && !isBusy(slot))
      .filter((slot) => now() - lastUsedAt(slot) >= milliseconds)
      .sort((a, b) => lastUsedAt(a) - lastUsedAt(b));
  }

  memory.onShortage((bytes) => {
    const unloadingSlots = [...slots.values()].filter(({ state }) => state === "unloading");
    let missingBytes = bytes - unloadingSlots.reduce((sum, slot) => sum + slot.bytes, 0);
    const slotsToUnload: Slot[] = [];
    for (const slot of listIdleSlots(RECENT_USE_MS)) {
      if (missingBytes <= 0) break;
      slotsToUnload.push(slot);
      missingBytes -= slot.bytes;
    }
    if (missingBytes > 0) return; // unloading them would not free enough
    for (const slot of slotsToUnload) void unload(slot.model.id);
  });
  const stopListening = memory.onReleased(retryWaiting);

  function retryWaiting(): void {
    for (const slot of slots.values()) if (slot.state === "waiting") load(slot);
  }

  /** Starts loading a model unless it is loading already; returns null if it cannot be loaded. */
  function wake(id: string): Availability | null {
    const existingSlot = slots.get(id);
    if (existingSlot?.state === "failed") {
      if (now() < existingSlot.restartsAt) return null;
      slots.delete(id);
      return wake(id);
    }
    if (existingSlot) {
      existingSlot.lastUsed = now();
      existingSlot.reloadAfterUnload = existingSlot.state === "unloading";
      if (existingSlot.state === "waiting") load(existingSlot);
      return estimate.availability(existingSlot);
    }
    const model = registeredModels.get(id);
    if (!model || estimateEngineBytes(model) > memory.budget) return null;
    const slot = createSlot(model, now());
    slots.set(id, slot);
    load(slot);
    return estimate.availability(slot);
  }

  function availability(id: string): Availability | null {
    const slot = slots.get(id);
    if (slot?.state === "warm" || slot?.state === "failed") return null;
    if (slot) return estimate.availability(slot);
    return registeredModels.has(id) ? COLD_AVAILABILITY : null;
  }

  async function tick(): Promise<void> {
    for (const slot of slots.values()) {
      if (slot.state === "warm" && isBusy(slot)) slot.lastUsed = now();
      if (slot.state === "waiting" && now() - slot.lastUsed > WAITING_TIMEOUT_MS) slots.delete(slot.model.id);
    }
    await Promise.all(listIdleSlots(idleMs).map((slot) => unload(slot.model.id)));
    retryWaiting();
  }

  /** Returns why a model cannot be loaded, without paths of this machine; null if it can be or is loading. */
  function loadingProblem(id: string): string | null {
    const slot = slots.get(id);
    if (!slot) {
      const model = registeredModels.get(id);
      return model && estimateEngineBytes(model) > memory.budget
        ? notEnoughMemory(estimateEngineBytes(model), memory.budget)
        : null;
    }
    const isStuck = slot.model.pinned && (slot.state === "waiting" || slot.failures >= FAILURES_BEFORE_COOLDOWN);
    return slot.state === "failed" || isStuck ? stripFolders(slot.reason ?? "Its engine ends.") : null;
  }

  const port: GatewayPort = { wake: async (id) => wake(id), state: async (id) => availability(id), loadingProblem };

  return {
    ...port,
    /** Makes a model callable. It is loaded by the first call, or at once if it is pinned. */
    register(model: HostedModel): void {
      registeredModels.set(model.id, model);
      if (model.pinned) wake(model.id);
    },
    /** Unloads a model and makes it uncallable. */
    async unregister(id: string): Promise<void> {
      registeredModels.delete(id);
      await unload(id);
    },
    unload,
    /** Unloads a model and loads it again; returns false if its file is not on this machine. */
    reload(id: string): boolean {
      if (!registeredModels.has(id)) return false;
      void unload(id).then(() => wake(id));
      return true;
    },
    find: (id: string): HostedModel | null => registeredModels.get(id) ?? null,
    ids: (): string[] => [...registeredModels.keys()],
    /** Returns the state of a model that is not ready; null if it is ready or cannot be loaded here. */
    availability,
    /** Whether a model is loaded, loading, or waits for memory. */
    isLoaded: (id: string) => slots.has(id),
    /** Whether a pinned model is loading for the first time. */
    isLoadingPinned: () =>
      [...slots.values()].some(({ model, state, failures }) => model.pinned && state === "loading" && failures === 0),
    isWarm: (id: string) => slots.get(id)?.state === "warm",
    /** Returns why the engine of a model failed; null if it did not. */
    failure(id: string): string | null {
      const slot = slots.get(id);
      return slot?.state === "failed" ? slot.reason : null;
    },
    job: { name: "unload idle models", everySeconds: 5, run: tick },
    async stop(): Promise<void> {
      stopListening();
      memory.onShortage(() => {});
      registeredModels.clear();
      await Promise.all([...slots.keys()].map(unload));
    },
  };
}

export type ModelHost = ReturnType<typeof createModelHost>;

const BYTES_PER_MEGABYTE = 1024 * 1024;

const notEnoughMemory = (needed: number, free: number): string =>
  `It needs ${Math.ceil(needed / BYTES_PER_MEGABYTE)} MB of memory, and ${Math.max(0, Math.floor(free / BYTES_PER_MEGABYTE))} MB are free ` +
  "for models. The operator can give them more by FEATHER_MODEL_MEMORY.";

/** Replaces paths by file names. */
const stripFolders = (text: string): string => text.replaceAll(/\/(?:[^\s/'":,;]+\/)+/g, "");
