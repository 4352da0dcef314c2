import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Replicas } from "../../core/replicas/replicas.ts";
import type { DeploymentProvider, Hardware } from "../deployments/index.ts";
import type { SharedPlace } from "../model-host/index.ts";
import { limitsOf } from "./choose-machine.ts";
import { createClusterHost, isSharedModelId } from "./cluster-host.ts";

type Ports = {
  /** Whether the models that all share run in the cluster. */
  isOn: boolean;
  /** The cluster; null if none is configured. */
  cluster: DeploymentProvider | null;
  hardware: readonly Hardware[];
  idleSeconds: number;
  maxPods: number;
  replicas: Pick<Replicas, "isLeader">;
  clock: Clock;
  log: Logger;
};

/** Creates the place in the cluster for the models that all share, and the provider that is left for deployments. */
export function createClusterModels({ isOn, cluster, hardware, replicas, ...deps }: Ports): {
  place: SharedPlace | null;
  deploymentsCluster: DeploymentProvider | null;
} {
  // Without a place there is nothing that a shared model's objects belong to: the reconciler of deployments removes them.
  if (!isOn || cluster === null) return { place: null, deploymentsCluster: cluster };
  const provider = limitTo(cluster, isSharedModelId);
  return {
    place: {
      limits: limitsOf(hardware),
      createHost: (registry) =>
        createClusterHost({ ...deps, provider, hardware, registry, isLeader: replicas.isLeader }),
    },
    deploymentsCluster: limitTo(cluster, (id) => !isSharedModelId(id)),
  };
}

/** Returns a provider that knows only some of its deployments. */
function limitTo(provider: DeploymentProvider, isKnown: (id: string) => boolean): DeploymentProvider {
  return {
    ...provider,
    list: async () => (await provider.list()).filter(isKnown),
    onChange: (listener) => provider.onChange((id) => isKnown(id) && listener(id)),
  };
}
