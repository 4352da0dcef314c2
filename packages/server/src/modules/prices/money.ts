/** Prices are decimals of USD with at most 15 places; in the code they are integers of 1e-15 USD. */
const PLACES = 15;
const FEMTO_IN_NANO = 1_000_000n;

/** `0.0000001` as 100000000n. The text is a plain decimal, as the contract and the database keep it. */
export function femtoOf(usd: string): bigint {
  const [whole = "0", fraction = ""] = usd.split(".");
  return BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, "0"));
}

/** A price without needless zeros: `0.0000001`. */
export function decimalOf(usd: string): string {
  return usd.includes(".") ? usd.replace(/\.?0+$/, "") : usd;
}

/** USD for a million. */
export function perMillion(usd: string): number {
  return Number(femtoOf(usd)) / 1e9;
}

/** Rounds up: what is used is never free. */
export function nanoOf(femto: bigint): bigint {
  return (femto + FEMTO_IN_NANO - 1n) / FEMTO_IN_NANO;
}

/** Nano-USD as USD, exactly and with two places at least: `5.00`, `0.001234567`. */
export function usdOf(nano: bigint): string {
  const digits = String(nano < 0n ? -nano : nano).padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0{1,7}$/, "");
  return `${nano < 0n ? "-" : ""}${digits.slice(0, -9)}.${fraction}`;
}
