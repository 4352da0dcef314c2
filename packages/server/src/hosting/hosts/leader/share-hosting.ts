import { answerAsLeader } from "../../../platform/core/peers/peer-call.ts";
import type { Replicas } from "../../../platform/core/replicas/replicas.ts";
import { createFitEstimate } from "../fit/fit.ts";
import type { FitLimits } from "../fit/fit-limits.ts";
import type { ModelHost } from "../host.ts";
import { withLeader } from "../host-of.ts";
import { describeHosting, READ_HOSTING } from "./hosting-state.ts";
import { withLeaderFit } from "./leader-fit.ts";
import { createLeaderHost } from "./leader-host.ts";

type Deps = Parameters<typeof createLeaderHost>[0] & { replicas: Replicas };

/**
 * Returns the hosted models and the fit estimate: those of this process if it is alone or leads, those of the leader
 * otherwise.
 */
export function shareHosting(deps: Deps, host: ModelHost, limits: FitLimits) {
  const { replicas, clock } = deps;
  const fit = createFitEstimate({ ...limits, host });
  if (replicas.isAlone) return { host, fit, leaderHosting: null, peerAnswers: [] };
  const leaderHosting = createLeaderHost(deps);
  return {
    host: withLeader(host, leaderHosting, replicas.isLeader),
    fit: withLeaderFit(fit, leaderHosting, replicas.isLeader),
    leaderHosting,
    peerAnswers: [answerAsLeader(READ_HOSTING, replicas, () => describeHosting({ host, limits, now: clock.now }))],
  };
}
