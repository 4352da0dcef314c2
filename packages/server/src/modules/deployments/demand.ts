import type { Clock } from "../../shared/clock.ts";
import type { Demand } from "./decide.ts";

/** Counts the requests to each deployment in this process. */
export function createDemand(clock: Clock) {
  const counts = new Map<string, number>();
  const last = new Map<string, Date>();
  return {
    of: (id: string): Demand => ({ pending: counts.get(id) ?? 0, lastRequestAt: last.get(id) ?? null }),
    /** Counts a request; call the returned function when it ends. */
    begin(id: string): () => void {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      last.set(id, clock.now());
      return () => {
        const left = (counts.get(id) ?? 1) - 1;
        if (left > 0) counts.set(id, left);
        else counts.delete(id);
        last.set(id, clock.now());
      };
    },
    forget(id: string): void {
      last.delete(id);
    },
  };
}

export type DemandBook = ReturnType<typeof createDemand>;
