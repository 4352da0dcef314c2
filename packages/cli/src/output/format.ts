const STEPS = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

/** A number of parameters: `33B`, `1.5B`, `1M`; empty when unknown. */
export function parameters(count: number | null): string {
  if (count === null) return "";
  for (const [step, unit] of STEPS)
    if (count >= step) return `${Number((count / step).toFixed(count / step < 10 ? 1 : 0))}${unit}`;
  return String(count);
}

/** A number of tokens in steps of 1024: `32K`, `1M`; empty when unknown. */
export function tokens(count: number | null): string {
  if (count === null) return "";
  if (count >= 1024 ** 2) return `${Number((count / 1024 ** 2).toFixed(1))}M`;
  return count >= 1024 ? `${Math.round(count / 1024)}K` : String(count);
}

/** A count with separators: `5,204`. */
export function count(value: number): string {
  return value.toLocaleString("en-GB");
}
