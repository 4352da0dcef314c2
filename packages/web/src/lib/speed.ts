/** Below this duration the measured speed says more about network buffering than about the model. */
const SHORTEST_WRITING_MS = 1_000;

/** Returns tokens per second, rounded; null if there are too few tokens or the generation was too short to measure. */
export const tokensPerSecond = (tokens: number, writingMs: number): number | null =>
  tokens < 2 || writingMs < SHORTEST_WRITING_MS ? null : Math.round((tokens / writingMs) * 1000);
