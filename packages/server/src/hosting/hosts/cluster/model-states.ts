import { SECOND_MS } from "../../../platform/core/time.ts";
import { runtimeNameOf } from "../../runtimes/index.ts";
import { type Availability, COLD_AVAILABILITY, type LoadedModel } from "../host.ts";
import { type ClusterContext, type ClusterEntry, findEntry } from "./entries.ts";
import { countInFlight, isWarm, lastUsedAt } from "./pod-backends.ts";
import { findSpecProblem } from "./pod-specs.ts";

const DEFAULT_START_MS = 60 * SECOND_MS;

const MIN_REMAINING_MS = SECOND_MS;

/** Returns the availability of a model without a ready pod. Null if it has a ready pod, or cannot run. */
export function readAvailability(context: ClusterContext, key: string): Availability | null {
  const entry = findEntry(context, key);
  if (!entry?.machine || isWarm(context, key) || entry.status.state === "failed") return null;
  if (findSpecProblem(context, entry) !== null) return null;
  return entry.status.desired_replicas === 0 && entry.startedAt === null
    ? COLD_AVAILABILITY
    : toAvailability(context, entry);
}

/** Returns the progress of a model whose pods are starting. */
export function toAvailability(
  { clock, startDurations }: ClusterContext,
  { model, status, startedAt }: ClusterEntry,
): Availability {
  const now = clock.now().getTime();
  const since = startedAt?.getTime() ?? now;
  const readyAt = Math.max(since + (startDurations.get(model.id) ?? DEFAULT_START_MS), now + MIN_REMAINING_MS);
  // Nobody can predict when the thing that a pod waits for happens.
  const isWaiting = status.state_reason !== null;
  return {
    tier: "loading",
    stage: isWaiting ? "cluster" : "pod",
    progress: null,
    reason: status.state_reason,
    readyAt: isWaiting ? null : new Date(readyAt),
  };
}

/** Returns the reason why the pods of a model fail; null if they do not. */
export function findFailure(context: ClusterContext, key: string): string | null {
  const status = findEntry(context, key)?.status;
  return status?.state === "failed" ? (status.state_reason ?? "Its pods end.") : null;
}

/** Returns the reason why a model cannot run, or null. */
export function findLoadingProblem(context: ClusterContext, key: string): string | null {
  const entry = findEntry(context, key);
  if (!entry) return null;
  return findSpecProblem(context, entry) ?? findFailure(context, key);
}

/** Returns whether a model has pods or should have some, and they have not failed. */
export function isLoaded(context: ClusterContext, key: string): boolean {
  const status = findEntry(context, key)?.status;
  return status !== undefined && status.desired_replicas > 0 && status.state !== "failed";
}

/** Returns the models that have pods, or whose pods are still to start. */
export function listLoadedModels(context: ClusterContext): LoadedModel[] {
  return [...context.entries.values()].flatMap((entry) => {
    const { model, machine, status, observed, usedAt } = entry;
    const pods = observed?.replicas.length ?? 0;
    if (!machine || (status.desired_replicas === 0 && pods === 0)) return [];
    return {
      key: model.id,
      runtime: runtimeNameOf(model),
      state: toLoadedState(entry),
      reason: status.state_reason,
      memoryBytes: machine.size.bytes * pods,
      contextLength: machine.size.contextLength,
      inFlight: countInFlight(context, model.id),
      lastUsedAt: lastUsedAt(context, model.id, usedAt) ?? context.clock.now(),
    };
  });
}

function toLoadedState({ status }: ClusterEntry): LoadedModel["state"] {
  if (status.desired_replicas === 0) return "unloading";
  if (status.ready_replicas > 0) return "warm";
  if (status.state === "failed") return "failed";
  return status.state_reason === null ? "loading" : "waiting";
}
