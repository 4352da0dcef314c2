import type { BackendRegistry } from "../../gateway/backends/registry.ts";
import type { Availability } from "./load-estimate.ts";
import type { ModelHost } from "./model-host.ts";

/** Whether a model answers now, by what the backends say, and how far it is where this machine loads it. */
export type LiveAvailability = {
  availability(modelId: string): {
    tier: "warm" | "loading" | "cold" | "offline";
    /** Whether it answered within the last hour. */
    recent: boolean;
    loading: Availability | null;
  };
};

export function liveAvailability(
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
