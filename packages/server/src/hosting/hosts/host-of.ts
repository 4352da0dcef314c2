import { organizationIdOf } from "../../platform/core/models/model-keys.ts";
import type { HostedModels, ModelHost } from "./host.ts";

type Hosts = {
  /** This machine. */
  local: ModelHost;
  /** The cluster that runs public models; null if they run on this machine. */
  cluster: ModelHost | null;
  /** Whether the cluster runs private models too. */
  isAllInCluster: boolean;
};

/**
 * Returns the host of the models of this process. It is made of two if public models run in the cluster and private ones on
 * this machine.
 */
export function createHostOf({ local, cluster, isAllInCluster }: Hosts): ModelHost {
  if (cluster === null) return local;
  return isAllInCluster ? cluster : divideModels(cluster, local);
}

/** Returns a host that runs public models in the cluster and private ones on this machine. */
function divideModels(cluster: ModelHost, local: ModelHost): ModelHost {
  const hostOf = (key: string) => (organizationIdOf(key) === null ? cluster : local);
  const hosts = [cluster, local];
  return {
    wake: (key) => hostOf(key).wake(key),
    state: (key) => hostOf(key).state(key),
    loadingProblem: (key) => hostOf(key).loadingProblem(key),
    register: (model) => hostOf(model.id).register(model),
    unregister: (key) => hostOf(key).unregister(key),
    completeRegistration: () => {
      for (const host of hosts) host.completeRegistration();
    },
    unload: (key) => hostOf(key).unload(key),
    reload: (key) => hostOf(key).reload(key),
    availability: (key) => hostOf(key).availability(key),
    isLoadingPinned: () => hosts.some((host) => host.isLoadingPinned()),
    failure: (key) => hostOf(key).failure(key),
    listLoaded: () => hosts.flatMap((host) => host.listLoaded()).sort((a, b) => b.memoryBytes - a.memoryBytes),
    find: (key) => hostOf(key).find(key),
    ids: () => hosts.flatMap((host) => host.ids()),
    isLoaded: (key) => hostOf(key).isLoaded(key),
    isWarm: (key) => hostOf(key).isWarm(key),
    job: {
      name: "start and unload models",
      everySeconds: Math.min(...hosts.map(({ job }) => job.everySeconds)),
      run: async () => void (await Promise.all(hosts.map(({ job }) => job.run()))),
    },
    stop: async () => void (await Promise.all(hosts.map((host) => host.stop()))),
  };
}

/**
 * Returns a host that reports the models of this process while it is the leader, and the leader's models otherwise. Models
 * are registered, loaded and unloaded in this process in both cases.
 */
export function withLeader(own: ModelHost, leader: HostedModels, isLeader: () => boolean): ModelHost {
  const current = () => (isLeader() ? own : leader);
  return {
    ...own,
    ids: () => current().ids(),
    find: (key) => current().find(key),
    availability: (key) => current().availability(key),
    state: async (key) => current().availability(key),
    failure: (key) => current().failure(key),
    loadingProblem: (key) => current().loadingProblem(key),
    isLoadingPinned: () => current().isLoadingPinned(),
    isLoaded: (key) => current().isLoaded(key),
    isWarm: (key) => current().isWarm(key),
  };
}
