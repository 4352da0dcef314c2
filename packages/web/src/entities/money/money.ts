import { createNumberFormat } from "#/lib/format.ts";

const NANO_PER_CENT = 10_000_000n;

/** Returns cents as dollars, such as $1,250.00 or −$3.10. */
export function formatCents(cents: number): string {
  return formatNanoUsd(String(BigInt(cents) * NANO_PER_CENT));
}

/** Returns nano-USD as exact dollars: at least two decimals, more only where they are not zero. */
export function formatNanoUsd(nano: string): string {
  const amount = BigInt(nano);
  const digits = String(amount < 0n ? -amount : amount).padStart(10, "0");
  const decimals = digits.slice(-9).replace(/0{1,7}$/, "");
  const format = createNumberFormat({
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: decimals.length,
  });
  return `${amount < 0n ? "−" : ""}${format.format(`${digits.slice(0, -9)}.${decimals}` as `${number}`)}`;
}

/** Returns nano-USD as dollars with a sign: positive amounts have a plus. */
export function formatSignedNanoUsd(nano: string): string {
  return BigInt(nano) > 0n ? `+${formatNanoUsd(nano)}` : formatNanoUsd(nano);
}

/** Returns whether an amount of nano-USD is zero. */
export function isZero(nano: string): boolean {
  return BigInt(nano) === 0n;
}

/** Returns the cents of a typed amount, such as `25`, `$25.50` or `1,000`; null for anything else. */
export function parseCents(text: string): number | null {
  const [, wholePart, decimals = ""] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (wholePart === undefined) return null;
  return Number(wholePart.replaceAll(",", "")) * 100 + Number(decimals.padEnd(2, "0"));
}
