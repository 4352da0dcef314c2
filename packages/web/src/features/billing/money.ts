import { numberFormat } from "#/lib/format.ts";

const NANO_PER_CENT = 10_000_000n;

/** Returns cents as dollars, such as $1,250.00 or −$3.10. */
export function dollars(cents: number): string {
  return usd(String(BigInt(cents) * NANO_PER_CENT));
}

/** Returns nano-USD as exact dollars: at least two decimals, more only where they are not zero. */
export function usd(nano: string): string {
  const amount = BigInt(nano);
  const digits = String(amount < 0n ? -amount : amount).padStart(10, "0");
  const decimals = digits.slice(-9).replace(/0{1,7}$/, "");
  const exact = numberFormat({
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: decimals.length,
  });
  return `${amount < 0n ? "−" : ""}${exact.format(`${digits.slice(0, -9)}.${decimals}` as `${number}`)}`;
}

/** Returns nano-USD as dollars with a sign: positive amounts have a plus. */
export function movement(nano: string): string {
  return BigInt(nano) > 0n ? `+${usd(nano)}` : usd(nano);
}

/** Returns whether an amount of nano-USD is zero. */
export function isZero(nano: string): boolean {
  return BigInt(nano) === 0n;
}

/** Returns the cents of a typed amount, such as `25`, `$25.50` or `1,000`; null for anything else. */
export function centsOf(typed: string): number | null {
  const [, whole, decimals = ""] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined) return null;
  return Number(whole.replaceAll(",", "")) * 100 + Number(decimals.padEnd(2, "0"));
}
