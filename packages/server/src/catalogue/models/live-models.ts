import type { components } from "@feather/openapi/schema";
import type { BackendRegistry, Hosted } from "../../gateway/index.ts";
import { createLiveAvailability, type ModelHost } from "../../hosting/hosts/index.ts";
import { readsTextOnly } from "../../hosting/runtimes/index.ts";
import type { OpenPulls } from "../../hosting/store/index.ts";

type Model = components["schemas"]["Model"];
/** The tier of a model: `warm`, `loading`, `cold` or `offline`. */
export type Tier = Model["availability"]["tier"];
/** The tier of each model that can be called, by key. All other models are offline. */
export type Tiers = ReadonlyMap<string, Exclude<Tier, "offline">>;

export type LiveModels = ReturnType<typeof createLiveModels>;

/** Creates the lookup of the current state of models on the backends, the engines of this machine and its downloads. */
export function createLiveModels(
  registry: Pick<
    BackendRegistry,
    | "availability"
    | "candidates"
    | "contextLength"
    | "hostedAt"
    | "isOperatorModel"
    | "listColdModels"
    | "listHostedModels"
    | "listOperatorModels"
    | "listWarmModels"
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

    /**
     * Returns `HEALTHY` if the model is not offline, `UNHEALTHY` if a backend lists it or its engine has failed here,
     * otherwise `OFFLINE`.
     */
    health(id: string): Model["health"] {
      if (live.availability(id).tier !== "offline") return "HEALTHY";
      return registry.availability(id).known || host.failure(id) !== null ? "UNHEALTHY" : "OFFLINE";
    },

    /** Returns where a model can be called: `here`, `elsewhere` or both; empty if nothing can run it. */
    hosted(id: string): readonly Hosted[] {
      const hosted = registry.hostedAt(id);
      return host.find(id) === null || hosted.includes("here") ? hosted : ["here", ...hosted];
    },

    /** Returns the keys of the models that can be called here, or elsewhere. */
    listHosted: (hosted: Hosted): string[] =>
      hosted === "here"
        ? [...new Set([...host.ids(), ...registry.listHostedModels(hosted)])]
        : registry.listHostedModels(hosted),

    /** The context in tokens with which its backends run the model now; null if it is unknown. */
    contextLength: registry.contextLength,

    /**
     * Returns whether a program that runs the model can enforce JSON output, or a backend says so; false if neither is known.
     */
    supportsJsonMode: (id: string): boolean =>
      host.find(id) !== null ||
      registry
        .candidates(id)
        .some(
          ({ program = "other", source, places }) =>
            source === "engine" || program !== "other" || places?.get(id)?.abilities.structuredOutput === true,
        ),

    /** Returns whether the model runs only here, with a program that reads only its texts, whatever else it can read. */
    readsTextOnly(id: string): boolean {
      const hosted = host.find(id);
      const isTextOnly = hosted !== null && readsTextOnly(hosted);
      return isTextOnly && registry.candidates(id).every(({ source }) => source === "engine");
    },

    /** Returns the parameters that its backends accept in addition to OpenAI's. */
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
