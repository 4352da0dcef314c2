/** More than any model has. A larger number counts as an error. */
const MAX_PARAMETERS = 1e14;
const FACTOR_BY_SUFFIX: Readonly<Record<string, number>> = { "": 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** Returns the number of parameters in a reported value, a number or a text such as `8.03B`; null for anything else. */
export function parseParameterCount(value: unknown): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,9})?)([KMBT]?)$/.exec(String(value));
  if (!match) return null;
  const count = Math.round(Number(match[1]) * (FACTOR_BY_SUFFIX[match[2] ?? ""] ?? 1));
  return count > 0 && count <= MAX_PARAMETERS ? count : null;
}
