import type { BackendRegistry, BackendSpec } from "../../../gateway/index.ts";
import type { Observed, Replica } from "../provider.ts";

type Registry = Pick<BackendRegistry, "set" | "remove" | "list">;

/**
 * Returns a function that updates the registry of replicas from the observed state of a deployment. The registry is
 * separate, so that only calls to deployments reach the replicas.
 */
export function createReplicaBackends(registry: Registry) {
  return (id: string, modelKey: string, observed: Observed | null): void => {
    const prefix = `${id}/`;
    const existingBackends = new Map(registry.list().map((backend) => [backend.name, backend]));
    const targetBackends = (observed?.replicas ?? []).flatMap((replica) => toBackendSpecs(prefix, modelKey, replica));
    for (const spec of targetBackends) {
      const old = existingBackends.get(spec.name);
      const same = old?.baseUrl === spec.baseUrl && old.socketPath === spec.socketPath && old.models.has(modelKey);
      if (!same) registry.set(spec);
    }
    const names = new Set(targetBackends.map(({ name }) => name));
    for (const name of existingBackends.keys()) if (name.startsWith(prefix) && !names.has(name)) registry.remove(name);
  };
}

/** Calls find replicas in the registry by the deployment's id; the replica itself serves the model under its key. */
function toBackendSpecs(prefix: string, modelKey: string, { name, state, endpoint }: Replica): BackendSpec[] {
  if (state !== "ready" || endpoint === null) return [];
  const models = new Map([
    [prefix.slice(0, -1), modelKey],
    [modelKey, modelKey],
  ]);
  return [{ name: prefix + name, source: "deployment", weight: 1, models, ...endpoint }];
}
