const BILLION = 1e9;

/**
 * Estimates the memory of one token of context in bytes, from the number of parameters, for models with an unknown
 * configuration. Assumes grouped-query attention: about 50 kB for 1B, 130 kB for 8B, 240 kB for 32B and 340 kB for 70B.
 */
export function estimateBytesPerToken(parameters: number): number {
  return Math.ceil(50_000 * (parameters / BILLION) ** 0.45);
}
