import { type EstimatedModel, estimateEngineBytes } from "./memory-budget.ts";

/**
 * The tokens of context that an engine gives each sequence, and the number of sequences that it generates at the same time.
 */
export type EngineSize = {
  contextLength: number;
  sequences: number;
  /** Estimated memory of the engine, in bytes. */
  bytes: number;
};

/**
 * Numbers of sequences that an engine is started with, in the order in which they are tried. The first is the engine's own
 * default.
 */
const SEQUENCES = [4, 2, 1] as const;
/** The smallest context that an engine is started with, in tokens, unless the model's own is smaller. */
export const MIN_CONTEXT_TOKENS = 2_048;

/**
 * Returns the largest engine that takes at most `maxBytes` of memory. It reduces the number of sequences first, then halves
 * the context. Null if the model does not fit even with one sequence and 2,048 tokens.
 */
export function chooseEngineSize(model: EstimatedModel, maxBytes: number): EngineSize | null {
  for (const { contextLength, sequences } of listSizes(model.contextLength)) {
    const bytes = estimateEngineBytes({ ...model, contextLength }, sequences);
    if (bytes <= maxBytes) return { contextLength, sequences, bytes };
  }
  return null;
}

/** Returns the memory of the smallest engine that can run the model, in bytes. */
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
