const STEPS = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

/** Returns a number of parameters: `33B`, `1.5B`, `1M`; empty when unknown. */
export function formatParameters(value: number | null): string {
  if (value === null) return "";
  for (const [step, unit] of STEPS)
    if (value >= step) return `${Number((value / step).toFixed(value / step < 10 ? 1 : 0))}${unit}`;
  return String(value);
}

/**
 * Returns a number of tokens exactly: `128K` for multiples of 1000, `32Ki` or `1Mi` for those of 1024, and in full for other
 * numbers; `unknown` for null.
 */
export function formatTokens(value: number | null): string {
  if (value === null) return "unknown";
  const unit = TOKEN_UNITS.find(([size]) => value >= size && value % size === 0);
  return unit === undefined ? formatCount(value) : `${value / unit[0]}${unit[1]}`;
}

const TOKEN_UNITS = [
  [1000 ** 2, "M"],
  [1024 ** 2, "Mi"],
  [1000, "K"],
  [1024, "Ki"],
] as const;

/** Returns a number with thousands separators: `5,204`. */
export function formatCount(value: number | bigint): string {
  const [whole = "", part] = String(value).split(".");
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? separated : `${separated}.${part}`;
}

/** Returns a large number in short form: `9.1 M`, `1.2 B`; below a million in full, `48,310`. */
export function formatCompact(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} B`;
  return value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : formatCount(Math.round(value));
}

/** Returns a number of bytes in decimal units: `47 GB`, `1.2 MB`. */
export function formatBytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const amount = value / 1000 ** step;
  return `${step > 0 && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[step]}`;
}

/** Returns a fraction of 1 as per cent: `62 %`. */
export function formatPercent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}

/** Returns cents as dollars: `$1,234.50`. */
export function formatDollars(cents: number): string {
  return `${cents < 0 ? "-" : ""}$${formatCount(Math.floor(Math.abs(cents) / 100))}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}

/** Returns billionths of a dollar as dollars, exactly and with at least two decimals: `$12.00`, `$0.000045`. */
export function formatNanoDollars(nano: string | number | bigint): string {
  const signed = BigInt(nano);
  const amount = signed < 0n ? -signed : signed;
  const decimals = String(amount % 1_000_000_000n)
    .padStart(9, "0")
    .replace(/0{1,7}$/, "");
  return `${signed < 0n ? "-" : ""}$${formatCount(amount / 1_000_000_000n)}.${decimals}`;
}
