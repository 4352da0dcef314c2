/** How far a model is that no backend runs yet. */
export type Loading = {
  tier: "cold" | "loading";
  /** Such as `download` or `weights`, when it is known. */
  stage: string | null;
  readyAt: Date | null;
};

/** Loads models when they are asked for. Those that it runs come into the registry of backends. */
export type ModelHost = {
  /** Starts to load a model, if it does not load already, and says how far it is; null for one it cannot run. */
  wake(modelId: string): Promise<Loading | null>;
  /** How far a model is, without starting anything. */
  state(modelId: string): Promise<Loading | null>;
  /** Why a model that it knows cannot be loaded, as a sentence for callers; null for one that can, or is not known. */
  problem?(modelId: string): string | null;
};

/** Where nothing can be loaded. */
export const NO_MODEL_HOST: ModelHost = { wake: async () => null, state: async () => null };
