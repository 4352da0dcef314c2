import type { Observed } from "../../deployments/index.ts";
import { engineBackendName } from "../host.ts";
import type { ClusterContext, ClusterEntry } from "./entries.ts";

/** Returns whether a ready pod of a model takes calls. */
export function isWarm(context: ClusterContext, key: string): boolean {
  return listBackends(context, key).length > 0;
}

/** Returns the later of `usedAt` and the last answer of a model; null if neither is known. */
export function lastUsedAt({ registry }: ClusterContext, key: string, usedAt: Date | null): Date | null {
  const answeredAt = registry.lastAnswerAt(key);
  const latest = Math.max(answeredAt, usedAt?.getTime() ?? 0);
  return latest === 0 ? null : new Date(latest);
}

/** Adds the ready pods of a model to the registry as backends, and removes those of other pods. */
export function setBackends(
  context: ClusterContext,
  { model, machine }: ClusterEntry,
  observed: Observed | null,
): void {
  const { registry } = context;
  const contextLength = machine?.size.contextLength ?? model.contextLength;
  const served = { models: new Map([[model.id, model.id]]), contextLengths: new Map([[model.id, contextLength]]) };
  const running = new Map(listBackends(context, model.id).map((backend) => [backend.name, backend]));
  const targets = (observed?.replicas ?? []).flatMap(({ name, state, endpoint }) =>
    state === "ready" && endpoint ? { name: podBackendName(model.id, name), endpoint } : [],
  );
  for (const { name, endpoint } of targets)
    if (running.get(name)?.baseUrl !== endpoint.baseUrl)
      registry.set({ name, source: "engine", weight: 1, ...served, ...endpoint });
  const names = new Set(targets.map(({ name }) => name));
  for (const name of running.keys()) if (!names.has(name)) registry.remove(name);
}

const podBackendName = (key: string, pod: string) => `${engineBackendName(key)} ${pod}`;

function listBackends({ registry }: ClusterContext, key: string) {
  const prefix = podBackendName(key, "");
  return registry.list().filter(({ name }) => name.startsWith(prefix));
}

/** Returns the number of calls that the pods of a model are answering. */
export function countInFlight(context: ClusterContext, key: string): number {
  return listBackends(context, key).reduce((sum, { inFlight }) => sum + inFlight, 0);
}
