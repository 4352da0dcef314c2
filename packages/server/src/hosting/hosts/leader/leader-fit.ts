import type { FitEstimate } from "../fit/fit.ts";

/**
 * Returns the estimate of which models fit on the leader: the local one if this process leads or the leader has not
 * answered yet.
 */
export function withLeaderFit(
  local: FitEstimate,
  leader: { fit(): FitEstimate | null },
  isLeader: () => boolean,
): FitEstimate {
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
