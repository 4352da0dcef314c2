import type { Currency } from "@feather/sdk";
import * as format from "@feather/sdk/format";
import { numberLocale } from "#/lib/format.ts";

/** The decimals of the database's column of rates. */
const RATE_DECIMALS = 8;

/** Returns cents as dollars, such as $1,250.00 or -$3.10. */
export const formatCents = (cents: number): string => format.formatCents(cents, numberLocale);

/** Returns an amount in minor units of a currency, such as €1,250.00 or ¥1,500. */
export const formatMoney = (amount: number, currency: string): string =>
  format.formatMoney(amount, currency, numberLocale);

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

/** Returns the minor units of a typed amount of a currency, such as `25`, `1,500` or `5.120`; null for anything else. */
export function parseMoney(text: string, currency: string): number | null {
  const decimals = format.currencyDecimals(currency);
  const [, wholePart, fraction = ""] = /^\s*(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,3}))?\s*$/.exec(text) ?? [];
  if (wholePart === undefined || fraction.length > decimals) return null;
  return Number(wholePart.replaceAll(",", "") + fraction.padEnd(decimals, "0"));
}

/** Returns an amount in minor units of a currency as it is typed, such as `25.00` or `1500`. */
export function toTypedMoney(amount: number, currency: string): string {
  const decimals = format.currencyDecimals(currency);
  return (amount / 10 ** decimals).toFixed(decimals);
}

const currencyNames = new Intl.DisplayNames(numberLocale, { type: "currency" });

/** Returns the name of a currency with its code, such as Euro (EUR). */
export const nameCurrency = (code: string): string => `${currencyNames.of(code) ?? code} (${code})`;

/** Returns what US cents cost in a currency, in its minor units, rounded up as the server does. */
export function convertUsdCents(cents: number, { code, units_per_usd, decimals }: Currency): number {
  const step = decimals === 3 ? 10 : 1;
  const [whole = "0", fraction = ""] = units_per_usd.split(".");
  const scaled = BigInt(whole + fraction.padEnd(RATE_DECIMALS, "0")) * BigInt(10 ** format.currencyDecimals(code));
  const divisor = 100n * 10n ** BigInt(RATE_DECIMALS) * BigInt(step);
  return Number((BigInt(cents) * scaled + divisor - 1n) / divisor) * step;
}
