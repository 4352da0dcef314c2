import type { components } from "@feather/openapi/schema";
import type { BackendRegistry } from "../../gateway/index.ts";
import { createLiveAvailability, type ModelHost } from "../model-host/index.ts";
import type { OpenPulls } from "../model-store/index.ts";

type Model = components["schemas"]["Model"];
/** How ready a model is: `warm`, `loading`, `cold` or `offline`. */
export type Tier = Model["availability"]["tier"];
/** The tier of each model that can be called, by key; all others are offline. */
export type Tiers = ReadonlyMap<string, Exclude<Tier, "offline">>;

export type LiveModels = ReturnType<typeof createLiveModels>;

/** The current state of models, from the backends, the engines on this machine and the downloads to it. */
export function createLiveModels(
  registry: Pick<
    BackendRegistry,
    "availability" | "candidates" | "isOperatorModel" | "listColdModels" | "listOperatorModels" | "listWarmModels"
  >,
  host: Pick<ModelHost, "availability" | "failure" | "find" | "ids" | "loadingProblem">,
  downloads: Pick<OpenPulls, "loading" | "loadingKeys">,
) {
  const live = createLiveAvailability(registry, host, downloads);

  return {
    availability: live.availability,
    isOperatorModel: registry.isOperatorModel,
    operatorModels: registry.listOperatorModels,

    tiers(): Tiers {
      const tiers = new Map<string, Exclude<Tier, "offline">>(downloads.loadingKeys().map((id) => [id, "loading"]));
      for (const id of host.ids()) {
        const state = host.availability(id);
        if (state) tiers.set(id, state.tier);
      }
      for (const id of registry.listColdModels()) if (!tiers.has(id)) tiers.set(id, "cold");
      for (const id of registry.listWarmModels()) tiers.set(id, "warm");
      return tiers;
    },

    /** Returns `UNHEALTHY` for a model that a backend or this machine should run and cannot. */
    health(id: string): Model["health"] {
      if (live.availability(id).tier !== "offline") return "HEALTHY";
      return registry.availability(id).known || host.failure(id) !== null ? "UNHEALTHY" : "OFFLINE";
    },

    /** Whether what runs the model can enforce JSON output; false if the backend's software is not known. */
    supportsJsonMode: (id: string): boolean =>
      host.find(id) !== null ||
      registry
        .candidates(id)
        .some(({ program, source }) => source === "engine" || (program !== undefined && program !== "other")),

    /** Whether only the engine runs the model here. It reads texts alone, whatever the model could read elsewhere. */
    readsTextOnly(id: string): boolean {
      const hosted = host.find(id);
      const isOnEngine = hosted !== null && hosted.runtime !== "vllm";
      return isOnEngine && registry.candidates(id).every(({ source }) => source === "engine");
    },

    /** Parameters that its backends accept beyond OpenAI's. */
    extraParams: (id: string): string[] => [
      ...new Set(registry.candidates(id).flatMap((backend) => [...backend.extraParams])),
    ],

    /** OpenAI's parameters that every backend of the model passes over. */
    passedOverParams(id: string): string[] {
      const [first, ...others] = registry.candidates(id).map(({ dialect }) => dialect.passedOver.chat);
      return first ? [...first].filter((field) => others.every((fields) => fields.has(field))) : [];
    },
  };
}
