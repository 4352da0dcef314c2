import { trimDecimal } from "../../platform/core/money.ts";
import { decimalsOf, stepOf, USD } from "./currency-codes.ts";

/** A currency with its minor units for one US dollar, a decimal: as rows of invoices and payments hold the rate they were made at. */
export type CurrencyRate = { currency: string; minor_per_usd: string };

/** US dollars, which all others are compared with. */
export const USD_RATE: CurrencyRate = { currency: USD, minor_per_usd: "100" };

/** Rates are calculated in integers of 1e-8. */
const RATE_DECIMALS = 8;
const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS);
const NANO_PER_USD = 1_000_000_000n;
const CENTS_PER_USD = 100n;

/** Returns the rate of a currency of which `unitsPerUsd` are one US dollar. */
export function toCurrencyRate(currency: string, unitsPerUsd: string): CurrencyRate {
  return { currency, minor_per_usd: fromScaled(toScaled(unitsPerUsd) * 10n ** BigInt(decimalsOf(currency))) };
}

/** Returns the units of a currency for one US dollar, without needless zeros: `0.92`. */
export function unitsPerUsdOf({ currency, minor_per_usd }: CurrencyRate): string {
  // A rate has eight decimals at most before it is multiplied, so the division is exact.
  return trimDecimal(fromScaled(toScaled(minor_per_usd) / 10n ** BigInt(decimalsOf(currency))));
}

/** Converts an amount in minor units to nano-USD, rounded half away from zero. Exact for US dollars. */
export function toNano(amount: number, rate: CurrencyRate): bigint {
  return divide(BigInt(amount) * NANO_PER_USD * RATE_SCALE, toScaled(rate.minor_per_usd));
}

/** Converts US cents to the minor units that they cost, rounded up to an amount that can be charged. */
export function costOfUsdCents(usdCents: number, rate: CurrencyRate): number {
  const step = BigInt(stepOf(rate.currency));
  const divisor = CENTS_PER_USD * RATE_SCALE * step;
  return Number(((BigInt(usdCents) * toScaled(rate.minor_per_usd) + divisor - 1n) / divisor) * step);
}

/** Converts US cents to the nearest amount in minor units that can be charged. */
export function fromUsdCents(usdCents: number, rate: CurrencyRate): number {
  const step = BigInt(stepOf(rate.currency));
  return Number(divide(BigInt(usdCents) * toScaled(rate.minor_per_usd), CENTS_PER_USD * RATE_SCALE * step) * step);
}

/** Converts an amount in minor units to US cents, rounded down. */
export function toUsdCents(amount: number, rate: CurrencyRate): number {
  return Number((BigInt(amount) * CENTS_PER_USD * RATE_SCALE) / toScaled(rate.minor_per_usd));
}

/** Converts an amount in minor units to US cents, rounded up. */
export function toUsdCentsRoundedUp(amount: number, rate: CurrencyRate): number {
  const divisor = toScaled(rate.minor_per_usd);
  return Number((BigInt(amount) * CENTS_PER_USD * RATE_SCALE + divisor - 1n) / divisor);
}

/** Converts an amount in minor units of one currency to the nearest in another. */
export function convertAmount(amount: number, from: CurrencyRate, to: CurrencyRate): number {
  return Number(divide(BigInt(amount) * toScaled(to.minor_per_usd), toScaled(from.minor_per_usd)));
}

function toScaled(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.slice(0, RATE_DECIMALS).padEnd(RATE_DECIMALS, "0"));
}

function fromScaled(scaled: bigint): string {
  const digits = String(scaled).padStart(RATE_DECIMALS + 1, "0");
  return `${digits.slice(0, -RATE_DECIMALS)}.${digits.slice(-RATE_DECIMALS)}`;
}

/** Divides by a positive number, rounded half away from zero. */
function divide(value: bigint, divisor: bigint): bigint {
  const rounded = (2n * (value < 0n ? -value : value) + divisor) / (2n * divisor);
  return value < 0n ? -rounded : rounded;
}
