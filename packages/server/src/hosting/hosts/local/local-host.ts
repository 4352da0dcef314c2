import { bind } from "../../../platform/core/bind.ts";
import { type HostedModel, listMemories } from "../../runtimes/index.ts";
import type { ModelHost } from "../host.ts";
import { freeMemory, retryWaiting, unloadIdle } from "./eviction.ts";
import type { LocalContext, LocalHostDeps } from "./host-context.ts";
import { createLoadEstimate } from "./load-estimate.ts";
import { unloadModel, wakeModel } from "./loading.ts";
import {
  findFailure,
  findLoadingProblem,
  isLoadingPinned,
  listLoadedModels,
  readAvailability,
} from "./model-states.ts";

/**
 * Loads models when they are called, each in its own process. Unloads them after their idle time, and the least
 * recently used first when another model needs the memory. Models with calls in flight are not unloaded.
 */
export function createLocalHost(deps: LocalHostDeps): ModelHost {
  const { runtimes, clock } = deps;
  const context: LocalContext = {
    ...deps,
    registeredModels: new Map(),
    slots: new Map(),
    estimate: createLoadEstimate(clock),
  };
  const { registeredModels, slots } = context;
  const memories = listMemories(runtimes);
  for (const memory of memories) memory.onShortage((bytes) => freeMemory(context, memory, bytes));
  const listeners = memories.map((memory) => memory.onReleased(() => retryWaiting(context)));
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
      for (const memory of memories) memory.onShortage(() => {});
      registeredModels.clear();
      await Promise.all([...slots.keys()].map((id) => unloadModel(context, id)));
    },
  };
}

/** Makes a model callable. It is loaded by the first call, or at once if it is pinned. */
function registerModel(context: LocalContext, model: HostedModel): void {
  context.registeredModels.set(model.id, model);
  const slot = context.slots.get(model.id);
  if (slot?.model.file === model.file) slot.model = model;
  if (model.pinned) wakeModel(context, model.id);
}

/** Unloads a model and makes it uncallable. */
async function unregisterModel(context: LocalContext, id: string): Promise<void> {
  context.registeredModels.delete(id);
  await unloadModel(context, id);
}

/** Unloads a model and loads it again; returns false if its file is not on this machine. */
function reloadModel(context: LocalContext, id: string): boolean {
  if (!context.registeredModels.has(id)) return false;
  void unloadModel(context, id).then(() => wakeModel(context, id));
  return true;
}
