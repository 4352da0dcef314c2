import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { CallableModel } from "./ports.ts";

/** Loading progress of a model that no backend runs yet. */
export type Loading = {
  tier: "cold" | "loading";
  /** The stage, such as `downloading` or `weights`; null if it is unknown. */
  stage: string | null;
  /** The share of the loading that is done, 0 to 1; absent or null if it is unknown. */
  progress?: number | null;
  /** A sentence for callers that says what delays loading; absent or null if nothing does or that is unknown. */
  reason?: string | null;
  readyAt: Date | null;
};

/** A call to a model that no backend runs, or a request for such a model. Plan, key and gate have admitted it. */
export type ColdCall = { actor: SignedInActor; model: CallableModel };

/** Loads models on demand. Loaded models are added to the backend registry. */
export type ModelHost = {
  /**
   * Starts loading a model unless it is being loaded, and returns its progress; null for a model that the host cannot run.
   * The caller in `call` decides whether the model may be downloaded.
   */
  wake(modelId: string, call?: ColdCall): Promise<Loading | null>;
  /** Returns the progress of a model without starting anything, even for one that `wake` would download. */
  state(modelId: string, call?: ColdCall): Promise<Loading | null>;
  /** Returns a sentence for callers that says why a known model cannot be loaded; null if it can be, or that is unknown. */
  loadingProblem?(modelId: string): string | null;
};

/** The host of servers that cannot load models. */
export const NO_MODEL_HOST: ModelHost = { wake: async () => null, state: async () => null };
