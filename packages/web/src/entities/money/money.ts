import * as format from "@feather/sdk/format";
import { numberLocale } from "#/lib/format.ts";

/** Returns cents as dollars, such as $1,250.00 or -$3.10. */
export const formatCents = (cents: number): string => format.formatCents(cents, numberLocale);

/** Returns nano-USD as exact dollars: at least two decimals, more only where they are not zero. */
export const formatNanoUsd = (nano: string | number): string => format.formatNanoUsd(nano, numberLocale);

/** Returns a decimal number of dollars, such as $0.10 or $0.002. */
export const formatUsd = (dollars: string): string => format.formatUsd(dollars, numberLocale);

/** Returns the exact price of a million tokens, such as $0.10, from the price of one token in dollars. */
export const formatPricePerMillion = (pricePerToken: string): string =>
  format.formatPricePerMillion(pricePerToken, numberLocale);

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
