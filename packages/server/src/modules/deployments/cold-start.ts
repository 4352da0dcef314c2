import type { Clock } from "../../core/clock.ts";
import type { Loading, ModelHost } from "../../gateway/index.ts";

const DEFAULT_START_MS = 10_000;
const MIN_REMAINING_MS = 500;

/** Starts deployments that are called while no replica runs, and estimates the time from their last start. */
export function createColdStart(clock: Clock, enqueue: (id: string) => void) {
  const startedAt = new Map<string, number>();
  const startDurations = new Map<string, number>();
  const now = () => clock.now().getTime();

  function toLoading(id: string): Loading {
    const since = startedAt.get(id) ?? now();
    const readyAt = Math.max(since + (startDurations.get(id) ?? DEFAULT_START_MS), now() + MIN_REMAINING_MS);
    return { tier: "loading", stage: "starting", readyAt: new Date(readyAt) };
  }

  const port: ModelHost = {
    async wake(id) {
      if (!startedAt.has(id)) startedAt.set(id, now());
      enqueue(id);
      return toLoading(id);
    },
    state: async (id) => toLoading(id),
  };

  return {
    port,
    /** Records that a replica is ready. */
    markReady(id: string): void {
      const since = startedAt.get(id);
      if (since === undefined) return;
      startDurations.set(id, now() - since);
      startedAt.delete(id);
    },
    remove(id: string): void {
      startedAt.delete(id);
      startDurations.delete(id);
    },
  };
}
