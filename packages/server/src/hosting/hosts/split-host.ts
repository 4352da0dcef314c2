import { organizationIdOf } from "../../platform/core/models/model-keys.ts";
import type { ModelHost } from "./host.ts";

/** Returns a host that runs public models on `shared` and private ones on `own`. */
export function createSplitHost(shared: ModelHost, own: ModelHost): ModelHost {
  const hostOf = (key: string) => (organizationIdOf(key) === null ? shared : own);
  const hosts = [shared, own];
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
      everySeconds: Math.min(shared.job.everySeconds, own.job.everySeconds),
      run: async () => void (await Promise.all(hosts.map(({ job }) => job.run()))),
    },
    stop: async () => void (await Promise.all(hosts.map((host) => host.stop()))),
  };
}
