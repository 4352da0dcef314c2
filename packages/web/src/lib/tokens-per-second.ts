/** Below this duration the measured speed says more about network buffering than about the model. */
const MIN_GENERATION_MS = 1_000;

/** Returns tokens per second, rounded; null if there are too few tokens or the generation was too short to measure. */
export const calculateTokensPerSecond = (tokens: number, generationMs: number): number | null =>
  tokens < 2 || generationMs < MIN_GENERATION_MS ? null : Math.round((tokens / generationMs) * 1000);
