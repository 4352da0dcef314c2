import type { FitEstimate } from "../fit/fit.ts";
import type { ModelHost } from "../host.ts";
import type { LeaderHosting } from "./leader-hosting.ts";

type IsLeader = () => boolean;

/**
 * Returns a host that reports the local models while this process is the leader, and the leader's models otherwise. Models
 * are registered, loaded and unloaded on the local host in both cases.
 */
export function createSharedHost(local: ModelHost, leader: LeaderHosting, isLeader: IsLeader): ModelHost {
  const current = () => (isLeader() ? local : leader);
  return {
    ...local,
    ids: () => current().ids(),
    find: (id) => current().find(id),
    availability: (id) => current().availability(id),
    state: async (id) => current().availability(id),
    failure: (id) => current().failure(id),
    loadingProblem: (id) => current().loadingProblem(id),
    isLoadingPinned: () => current().isLoadingPinned(),
    isLoaded: (id) => current().isLoaded(id),
    isWarm: (id) => current().isWarm(id),
  };
}

/**
 * Returns the estimate of which models fit on the leader: the local one if this process leads or the leader has not
 * answered yet.
 */
export function createSharedFit(local: FitEstimate, leader: LeaderHosting, isLeader: IsLeader): FitEstimate {
  const current = () => (isLeader() ? local : (leader.fit() ?? local));
  return {
    of: (model) => current().of(model),
    hosted: () => current().hosted(),
    get maxParameters() {
      return current().maxParameters;
    },
    get maxSourceBytes() {
      return current().maxSourceBytes;
    },
    get maxSafetensors() {
      return current().maxSafetensors;
    },
  };
}
