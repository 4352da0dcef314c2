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

/** Billions: `7b`, `8x7B`. */
const BILLIONS = /(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)B\b/i;
/** Millions, of two digits or more: `1M` and `10M` are the lengths of contexts. */
const MILLIONS = /(?<![\d.])(?:(\d{1,3})x)?(?!10M)(\d{2,4})M\b/i;

/**
 * Returns the number of parameters in a model's name: 7e9 for `qwen2.5-7b`, 56e9 for `mixtral-8x7b`, 135e6 for
 * `SmolLM2-135M`. Null if the name has none.
 */
export function parseSizeInName(name: string): number | null {
  return parseSize(BILLIONS.exec(name), 1e9) ?? parseSize(MILLIONS.exec(name), 1e6);
}

function parseSize(match: RegExpExecArray | null, unit: number): number | null {
  return match && Math.round(Number(match[1] ?? 1) * Number(match[2]) * unit);
}
