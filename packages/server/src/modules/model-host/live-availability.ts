import type { BackendRegistry } from "../../gateway/index.ts";
import type { Availability } from "./load-estimate.ts";
import type { ModelHost } from "./model-host.ts";

/** The tier of a model by its backends, and its progress if this machine is loading it. */
export type LiveAvailability = {
  availability(modelId: string): {
    tier: "warm" | "loading" | "cold" | "offline";
    /** Whether a backend answered for it within the last hour. */
    recent: boolean;
    loading: Availability | null;
  };
};

/** Combines the availability on backends with that on this machine. */
export function createLiveAvailability(
  registry: Pick<BackendRegistry, "availability">,
  host: Pick<ModelHost, "availability">,
): LiveAvailability {
  return {
    availability(id) {
      const { tier, recent } = registry.availability(id);
      const loading = tier === "warm" ? null : host.availability(id);
      return { tier: loading?.tier ?? tier, recent, loading };
    },
  };
}
