const NANO_USD_PER_CENT = 10_000_000n;

/** Converts whole cents to nano-USD. */
export const centsToNano = (cents: number): bigint => BigInt(cents) * NANO_USD_PER_CENT;

/** Converts nano-USD to whole cents, rounded down. */
export const nanoToCents = (nano: bigint): number => Number(nano / NANO_USD_PER_CENT);

/** Prices are USD decimals with at most 15 places; the code calculates in integers of 1e-15 USD (femto-USD). */
const DECIMAL_PLACES = 15;
const FEMTO_PER_NANO = 1_000_000n;

/** Converts a plain decimal in USD to femto-USD: `0.0000001` becomes 100000000n. */
export function usdToFemto(usd: string): bigint {
  const [whole = "0", fraction = ""] = usd.split(".");
  return BigInt(whole + fraction.slice(0, DECIMAL_PLACES).padEnd(DECIMAL_PLACES, "0"));
}

/** Removes trailing zeros of a decimal: `0.00000010` becomes `0.0000001`. */
export function trimDecimal(usd: string): string {
  return usd.includes(".") ? usd.replace(/\.?0+$/, "") : usd;
}

/** Converts a price per unit to the price per million units, in USD. */
export function usdPerMillion(usd: string): number {
  return Number(usdToFemto(usd)) / 1e9;
}

/** Converts femto-USD to nano-USD, rounded up so that usage is never free. */
export function femtoToNano(femto: bigint): bigint {
  return (femto + FEMTO_PER_NANO - 1n) / FEMTO_PER_NANO;
}

/** Formats nano-USD as USD, exactly and with at least two places: `5.00`, `0.001234567`. */
export function formatNanoUsd(nano: bigint): string {
  const digits = String(nano < 0n ? -nano : nano).padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0{1,7}$/, "");
  return `${nano < 0n ? "-" : ""}${digits.slice(0, -9)}.${fraction}`;
}

/**
 * Returns `amount * part / whole`, rounded half up to a multiple of `step`; exact for any size. 0 when `whole` is not positive.
 */
export function proportion(amount: number, part: number, whole: number, step = 1): number {
  if (whole <= 0) return 0;
  const product = BigInt(amount) * BigInt(part);
  const divisor = BigInt(whole) * BigInt(step);
  return Number((2n * product + divisor) / (2n * divisor)) * step;
}
