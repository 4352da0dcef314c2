import {
  explainMissingRuntime,
  findRuntime,
  type HostedModel,
  type Runtime,
  type Runtimes,
  runtimeNameOf,
  smallestEngineBytes,
} from "../../runtimes/index.ts";
import { type Availability, COLD_AVAILABILITY, type LoadedModel } from "../host.ts";
import { countInFlight, FAILURES_BEFORE_COOLDOWN, type LocalContext, lastUsedAt } from "./host-context.ts";
import type { Slot } from "./slot.ts";

/** Returns whether a pinned model is being loaded for the first time. */
export function isLoadingPinned({ slots }: LocalContext): boolean {
  return [...slots.values()].some(
    ({ model, state, failures }) => model.pinned && state === "loading" && failures === 0,
  );
}

/** Returns why the engine of a model failed, without paths of this machine; null if it did not fail. */
export function findFailure({ slots }: LocalContext, id: string): string | null {
  const slot = slots.get(id);
  return slot?.state === "failed" ? describeProblem(slot) : null;
}

/** Returns the models that hold or wait for memory, those with the most memory first. */
export function listLoadedModels(context: LocalContext): LoadedModel[] {
  return [...context.slots.values()]
    .map((slot) => ({
      key: slot.model.id,
      runtime: runtimeNameOf(slot.model),
      state: slot.state,
      reason: describeProblem(slot),
      memoryBytes: slot.release === null ? 0 : slot.size.bytes,
      contextLength: slot.size.contextLength,
      inFlight: countInFlight(context, slot),
      lastUsedAt: new Date(lastUsedAt(context, slot)),
    }))
    .sort((a, b) => b.memoryBytes - a.memoryBytes);
}

/** Returns the state of a model that is not ready; null if it is ready or cannot be loaded here. */
export function readAvailability(
  { registeredModels, slots, estimate, runtimes }: LocalContext,
  id: string,
): Availability | null {
  const slot = slots.get(id);
  if (slot?.state === "warm" || slot?.state === "failed") return null;
  if (slot) return estimate.availability(slot);
  const model = registeredModels.get(id);
  return model && findRuntime(runtimes, model) ? COLD_AVAILABILITY : null;
}

/** Returns why a model cannot be loaded, without paths of this machine; null if it can be, or is being loaded. */
export function findLoadingProblem({ registeredModels, slots, runtimes }: LocalContext, id: string): string | null {
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

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Returns the sentence that says how much memory of a runtime a model needs, in bytes, and how much is free. */
export function notEnoughMemory({ memorySetting, memoryName }: Runtime, needed: number, free: number): string {
  return (
    `It needs ${Math.ceil(needed / BYTES_PER_MEGABYTE)} MB of ${memoryName}, and ${Math.max(0, Math.floor(free / BYTES_PER_MEGABYTE))} MB are free ` +
    `for models. The operator can give them more by ${memorySetting}.`
  );
}

/** Replaces paths by file names. */
const stripFolders = (text: string): string => text.replaceAll(/\/(?:[^\s/'":,;]+\/)+/g, "");
