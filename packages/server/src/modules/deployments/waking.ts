import type { Loading, ModelHost } from "../../gateway/model-host.ts";
import type { Clock } from "../../shared/clock.ts";

const USUAL_START = 10_000;
const SOON = 500;

/** Starts deployments that are called while no replica runs, and estimates the time from their last start. */
export function createWaking(clock: Clock, kick: (id: string) => void) {
  const wokenAt = new Map<string, number>();
  const took = new Map<string, number>();
  const now = () => clock.now().getTime();

  function loading(id: string): Loading {
    const since = wokenAt.get(id) ?? now();
    const readyAt = Math.max(since + (took.get(id) ?? USUAL_START), now() + SOON);
    return { tier: "loading", stage: "starting", readyAt: new Date(readyAt) };
  }

  const port: ModelHost = {
    async wake(id) {
      if (!wokenAt.has(id)) wokenAt.set(id, now());
      kick(id);
      return loading(id);
    },
    state: async (id) => loading(id),
  };

  return {
    port,
    /** Records that a replica is ready. */
    ready(id: string): void {
      const since = wokenAt.get(id);
      if (since === undefined) return;
      took.set(id, now() - since);
      wokenAt.delete(id);
    },
    forget(id: string): void {
      wokenAt.delete(id);
      took.delete(id);
    },
  };
}
