const BILLION = 1e9;

/**
 * Estimates the memory of one token of context from the number of parameters, in bytes, for models whose configuration is
 * not known: about 50 kB for 1B, 130 kB for 8B, 240 kB for 32B and 340 kB for 70B, as grouped-query attention takes.
 */
export function estimateBytesPerToken(parameters: number): number {
  return Math.ceil(50_000 * (parameters / BILLION) ** 0.45);
}
