import type { components } from "@feather/openapi/schema";
import { DIALECTS } from "../../gateway/backends/dialects.ts";
import type { BackendRegistry } from "../../gateway/backends/registry.ts";
import { liveAvailability } from "../model-host/live-availability.ts";
import type { ModelHost } from "../model-host/model-host.ts";

type Model = components["schemas"]["Model"];
export type Tier = Model["availability"]["tier"];
/** Models that can be called, with how ready they are; all others are offline. */
export type Tiers = ReadonlyMap<string, Exclude<Tier, "offline">>;

export type LiveModels = ReturnType<typeof createLiveModels>;

/** What the backends and this machine's own engines say of models, just now. */
export function createLiveModels(
  registry: Pick<BackendRegistry, "availability" | "candidates" | "isOperatorModel" | "operatorModels" | "warmModels">,
  host: Pick<ModelHost, "availability" | "failure" | "find" | "ids">,
) {
  const live = liveAvailability(registry, host);

  return {
    availability: live.availability,
    isOperatorModel: registry.isOperatorModel,
    operatorModels: registry.operatorModels,

    tiers(): Tiers {
      const tiers = new Map<string, Exclude<Tier, "offline">>();
      for (const id of host.ids()) {
        const state = host.availability(id);
        if (state) tiers.set(id, state.tier);
      }
      for (const id of registry.warmModels()) tiers.set(id, "warm");
      return tiers;
    },

    /** Unhealthy is what something here should run and cannot. */
    health(id: string): Model["health"] {
      if (live.availability(id).tier !== "offline") return "HEALTHY";
      return registry.availability(id).known || host.failure(id) !== null ? "UNHEALTHY" : "OFFLINE";
    },

    /** Whether what runs it holds answers to JSON. Of an address that tells nothing of itself that is not known. */
    holdsToJson: (id: string): boolean =>
      host.find(id) !== null ||
      registry
        .candidates(id)
        .some(({ program, source }) => source === "engine" || (program !== undefined && program !== "other")),

    /** Fields of calls that what runs it knows beyond the usual ones. */
    extras: (id: string): string[] => [...new Set(registry.candidates(id).flatMap((backend) => [...backend.extras]))],

    /** Usual fields of calls that nothing that runs it takes. */
    lacks(id: string): string[] {
      const each = registry.candidates(id).map(({ lacks }) => lacks);
      const [first, ...others] = each.length === 0 && host.find(id) !== null ? [DIALECTS.engine.lacks] : each;
      return [...(first ?? [])].filter((field) => others.every((lacks) => lacks?.has(field)));
    },
  };
}
