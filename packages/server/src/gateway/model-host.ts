import type { SignedInActor } from "../core/auth/actor.ts";
import type { CallableModel } from "./ports.ts";

/** Loading progress of a model that no backend runs yet. */
export type Loading = {
  tier: "cold" | "loading";
  /** Such as `downloading` or `weights`, if known. */
  stage: string | null;
  /** The share of the loading that is done, 0 to 1; absent or null if not known. */
  progress?: number | null;
  /** What hinders it, in a sentence for callers; absent or null if nothing does, or that is not known. */
  reason?: string | null;
  readyAt: Date | null;
};

/** A call to a model that no backend runs, or a request for one. It was let in: plan, key and gate allow it. */
export type ColdCall = { actor: SignedInActor; model: CallableModel };

/** Loads models on demand. Loaded models are added to the backend registry. */
export type ModelHost = {
  /**
   * Starts loading a model unless it is loading already, and returns its progress; null for a model it cannot run. Who
   * calls it decides whether it may be downloaded for that.
   */
  wake(modelId: string, call?: ColdCall): Promise<Loading | null>;
  /** Returns the progress of a model without starting anything; also of one that `wake` would download. */
  state(modelId: string, call?: ColdCall): Promise<Loading | null>;
  /** A sentence for callers about why a known model cannot be loaded; null if it can be, or is not known. */
  loadingProblem?(modelId: string): string | null;
};

/** For servers that cannot load models. */
export const NO_MODEL_HOST: ModelHost = { wake: async () => null, state: async () => null };
