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

/** A number of tokens in steps of 1024, as contexts are told: `32K`, `1M`; empty when unknown. */
export function tokens(count: number | null): string {
  if (count === null) return "";
  if (count >= 1024 ** 2) return `${Number((count / 1024 ** 2).toFixed(1))}M`;
  return count >= 1024 ? `${Math.round(count / 1024)}K` : String(count);
}

/** A count with separators: `5,204`. */
export function count(value: number | bigint): string {
  const [whole = "", part] = String(value).split(".");
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? separated : `${separated}.${part}`;
}

/** A large amount in short: `9.1 M`, `1.2 B`; below a million as it is, `48,310`. */
export function short(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} B`;
  return value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : count(Math.round(value));
}

/** A size of data, in steps of 1000: `47 GB`, `1.2 MB`. */
export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const amount = value / 1000 ** step;
  return `${step > 0 && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[step]}`;
}

/** A share of one: `62 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Cents as dollars: `$1,234.50`. */
export function dollars(cents: number): string {
  return `${cents < 0 ? "-" : ""}$${count(Math.floor(Math.abs(cents) / 100))}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}

/** Billionths of a dollar, as the API writes them, exactly and with at least two decimals: `$12.00`, `$0.000045`. */
export function nanoDollars(nano: string | number | bigint): string {
  const exact = BigInt(nano);
  const amount = exact < 0n ? -exact : exact;
  const rest = String(amount % 1_000_000_000n)
    .padStart(9, "0")
    .replace(/0{1,7}$/, "");
  return `${exact < 0n ? "-" : ""}$${count(amount / 1_000_000_000n)}.${rest}`;
}
