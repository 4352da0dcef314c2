/** Milliseconds of writing from which on a speed can be told: less is how the network handed the words on. */
const SHORTEST_WRITING_MS = 1_000;

/** Whole tokens a second; null where there is too little to tell a speed from. */
export const tokensPerSecond = (tokens: number, writingMs: number): number | null =>
  tokens < 2 || writingMs < SHORTEST_WRITING_MS ? null : Math.round((tokens / writingMs) * 1000);
