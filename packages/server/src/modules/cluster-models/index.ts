import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Replicas } from "../../core/replicas/replicas.ts";
import type { ClusterProvider, Hardware } from "../deployments/index.ts";
import type { SharedPlace } from "../model-host/index.ts";
import { limitsOf } from "./choose-machine.ts";
import { createClusterHost, hostedModelId, isHostedModelId } from "./cluster-host.ts";

type Ports = {
  /** Whether models run in the cluster: those that all share, and private ones if pods get files from this server. */
  isOn: boolean;
  getsFiles: boolean;
  /** The cluster; null if none is configured. */
  cluster: ClusterProvider | null;
  hardware: readonly Hardware[];
  idleSeconds: number;
  maxPods: number;
  replicas: Pick<Replicas, "isLeader">;
  clock: Clock;
  log: Logger;
};

/** Creates the place in the cluster for models, and the provider that is left for deployments. */
export function createClusterModels({ isOn, getsFiles, cluster, hardware, replicas, ...deps }: Ports): {
  place: SharedPlace | null;
  deploymentsCluster: ClusterProvider | null;
  /** Returns the key among these whose model has this id in the cluster; null if there is none. */
  findKey(id: string, keys: readonly string[]): string | null;
} {
  // Without a place there is nothing that a shared model's objects belong to: the reconciler of deployments removes them.
  if (!isOn || cluster === null) return { place: null, deploymentsCluster: cluster, findKey: () => null };
  const provider = limitTo(cluster, isHostedModelId);
  return {
    findKey: (id, keys) => (isHostedModelId(id) ? (keys.find((key) => hostedModelId(key) === id) ?? null) : null),
    place: {
      getsFiles,
      limits: limitsOf(hardware),
      createHost: (registry) =>
        createClusterHost({ ...deps, provider, hardware, registry, isLeader: replicas.isLeader }),
    },
    deploymentsCluster: limitTo(cluster, (id) => !isHostedModelId(id)),
  };
}

/** Returns a provider that knows only some of its deployments. */
function limitTo(provider: ClusterProvider, isKnown: (id: string) => boolean): ClusterProvider {
  return {
    ...provider,
    list: async () => (await provider.list()).filter(isKnown),
    onChange: (listener) => provider.onChange((id) => isKnown(id) && listener(id)),
  };
}
