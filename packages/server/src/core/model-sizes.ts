const BILLION = 1e9;

/**
 * Returns the concurrency units of a request: 1 up to 15B parameters, 2 up to 34B, 4 above. Unknown sizes count as the
 * largest.
 */
export function unitsOfSize(parameters: number | null): 1 | 2 | 4 {
  if (parameters === null) return 4;
  if (parameters <= 15.5 * BILLION) return 1;
  return parameters <= 34.5 * BILLION ? 2 : 4;
}

/**
 * Returns the number of parameters in a model's name: 7e9 for `qwen2.5-7b`, 56e9 for `mixtral-8x7b`. Null if the name
 * has none.
 */
export function parseSizeInName(name: string): number | null {
  const match = /(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)B\b/i.exec(name);
  return match ? Math.round(Number(match[1] ?? 1) * Number(match[2]) * BILLION) : null;
}
