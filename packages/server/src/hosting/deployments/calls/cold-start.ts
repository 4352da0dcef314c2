import type { Loading, ModelHost } from "../../../gateway/index.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Observed } from "../provider.ts";

const DEFAULT_START_MS = 10_000;
const MIN_REMAINING_MS = 500;

/**
 * Creates the host that starts deployments that are called while no replica runs. It estimates when they are ready from the
 * duration of their last start.
 */
export function createColdStart(clock: Clock, enqueue: (id: string) => void) {
  const startedAt = new Map<string, number>();
  const startDurations = new Map<string, number>();
  /** Why replicas are not ready, by deployment. `isFailure` says that all of them failed. */
  const reasons = new Map<string, { reason: string; isFailure: boolean }>();
  const now = () => clock.now().getTime();

  function toLoading(id: string): Loading {
    const since = startedAt.get(id) ?? now();
    const readyAt = Math.max(since + (startDurations.get(id) ?? DEFAULT_START_MS), now() + MIN_REMAINING_MS);
    const reason = reasons.get(id)?.reason ?? null;
    return { tier: "loading", stage: "starting", reason, readyAt: new Date(readyAt) };
  }

  const port = {
    async wake(id: string) {
      if (!startedAt.has(id)) startedAt.set(id, now());
      enqueue(id);
      return toLoading(id);
    },
    state: async (id: string) => toLoading(id),
    loadingProblem(id: string): string | null {
      const known = reasons.get(id);
      return known?.isFailure ? known.reason : null;
    },
  } satisfies ModelHost;

  return {
    port,
    /** Records that a replica is ready. */
    markReady(id: string): void {
      const since = startedAt.get(id);
      if (since === undefined) return;
      startDurations.set(id, now() - since);
      startedAt.delete(id);
    },
    /** Stores why the replicas of a deployment are not ready, from their observed state. */
    noteObserved(id: string, observed: Observed | null): void {
      const replicas = observed?.replicas.filter(({ state }) => state !== "stopping") ?? [];
      const isFailure = replicas.length > 0 && replicas.every(({ state }) => state === "failed");
      const reason = replicas.find(({ reason: known }) => known !== null)?.reason ?? observed?.problem ?? null;
      if (reason === null) reasons.delete(id);
      else reasons.set(id, { reason, isFailure });
    },
    remove(id: string): void {
      reasons.delete(id);
      startedAt.delete(id);
      startDurations.delete(id);
    },
  };
}
