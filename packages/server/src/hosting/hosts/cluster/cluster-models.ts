import type { Logger } from "pino";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Replicas } from "../../../platform/core/replicas/replicas.ts";
import type { ClusterProvider, Hardware } from "../../deployments/index.ts";
import type { SharedPlace } from "../shared-place.ts";
import { limitsOf } from "./choose-machine.ts";
import { createClusterHost } from "./cluster-host.ts";
import { hostedModelId, isHostedModelId } from "./deployment-ids.ts";

type Ports = {
  /** Whether models run in the cluster: shared ones, and private ones if `getsFiles` is set. */
  isOn: boolean;
  getsFiles: boolean;
  /** The connection to the cluster; null if none is configured. */
  cluster: ClusterProvider | null;
  hardware: readonly Hardware[];
  idleSeconds: number;
  maxPods: number;
  replicas: Pick<Replicas, "isLeader">;
  clock: Clock;
  log: Logger;
};

/**
 * Divides the cluster: returns a place in which models are hosted, and a provider that lists only the deployments of
 * organizations.
 */
export function createClusterModels({ isOn, getsFiles, cluster, hardware, replicas, ...deps }: Ports): {
  place: SharedPlace | null;
  deploymentsCluster: ClusterProvider | null;
  /** Returns the one of these keys whose model has this deployment id; null if there is none. */
  findKey(id: string, keys: readonly string[]): string | null;
} {
  // Models do not run in the cluster, so the reconciler of deployments gets the whole cluster and removes objects that
  // models have left there.
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

/** Returns a provider that lists only the deployments with known ids, and reports changes of those only. */
function limitTo(provider: ClusterProvider, isKnown: (id: string) => boolean): ClusterProvider {
  return {
    ...provider,
    list: async () => (await provider.list()).filter(isKnown),
    onChange: (listener) => provider.onChange((id) => isKnown(id) && listener(id)),
  };
}
