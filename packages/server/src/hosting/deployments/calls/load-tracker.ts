import type { Clock } from "../../../platform/core/clock.ts";
import type { DeploymentLoad } from "../decide.ts";

/** Creates the counter of the running and waiting requests to each deployment in this process. */
export function createLoadTracker(clock: Clock) {
  const pendingCounts = new Map<string, number>();
  const lastRequestAt = new Map<string, Date>();
  return {
    get: (id: string): DeploymentLoad => ({
      pending: pendingCounts.get(id) ?? 0,
      lastRequestAt: lastRequestAt.get(id) ?? null,
    }),
    /** Counts a request. Call the returned function when it ends. */
    begin(id: string): () => void {
      pendingCounts.set(id, (pendingCounts.get(id) ?? 0) + 1);
      lastRequestAt.set(id, clock.now());
      return () => {
        const remaining = (pendingCounts.get(id) ?? 1) - 1;
        if (remaining > 0) pendingCounts.set(id, remaining);
        else pendingCounts.delete(id);
        lastRequestAt.set(id, clock.now());
      };
    },
    remove(id: string): void {
      lastRequestAt.delete(id);
    },
  };
}

export type LoadTracker = ReturnType<typeof createLoadTracker>;
