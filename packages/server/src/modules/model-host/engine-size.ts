import { type EstimatedModel, estimateEngineBytes } from "./memory-budget.ts";

/** How an engine runs a model: tokens of context for each sequence, and sequences, which answer calls at the same time. */
export type EngineSize = {
  contextLength: number;
  sequences: number;
  /** Estimated memory of the engine, in bytes. */
  bytes: number;
};

/** Sequences of an engine, most first. The engine's own default is the first. */
const SEQUENCES = [4, 2, 1] as const;
/** Engines get no less context than this, in tokens, unless the model has less. */
export const MIN_CONTEXT_TOKENS = 2_048;

/**
 * Returns the largest size of an engine that takes at most `maxBytes`: it gives up sequences first, then halves the
 * context. Null if the model does not fit even with one sequence and 2,048 tokens.
 */
export function chooseEngineSize(model: EstimatedModel, maxBytes: number): EngineSize | null {
  for (const { contextLength, sequences } of listSizes(model.contextLength)) {
    const bytes = estimateEngineBytes({ ...model, contextLength }, sequences);
    if (bytes <= maxBytes) return { contextLength, sequences, bytes };
  }
  return null;
}

/** Returns the smallest memory that an engine of the model takes, in bytes. */
export function smallestEngineBytes(model: EstimatedModel): number {
  return estimateEngineBytes({ ...model, contextLength: Math.min(model.contextLength, MIN_CONTEXT_TOKENS) }, 1);
}

function listSizes(contextLength: number): Omit<EngineSize, "bytes">[] {
  const sizes: Omit<EngineSize, "bytes">[] = SEQUENCES.map((sequences) => ({ contextLength, sequences }));
  for (let shorter = contextLength; shorter > MIN_CONTEXT_TOKENS; ) {
    shorter = Math.max(Math.floor(shorter / 2), MIN_CONTEXT_TOKENS);
    sizes.push({ contextLength: shorter, sequences: 1 });
  }
  return sizes;
}
