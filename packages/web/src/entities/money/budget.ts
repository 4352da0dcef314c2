import { parseNanoUsd } from "#/entities/money/amount.ts";

const ZERO = /^\$?\s*0{1,8}(\.0{1,9})?$/;
/** The contract's limit of an amount. */
const MAX_NANO_USD_DIGITS = 30;
const NANO_USD_DECIMALS = 9;

/** Returns the nano-USD of a budget in dollars, such as `5`, `$2.50` or `0`; null for a text that is none. */
export function parseBudget(text: string): string | null {
  if (ZERO.test(text.trim())) return "0";
  const nano = parseNanoUsd(text);
  return nano === null || nano.startsWith("-") || nano.length > MAX_NANO_USD_DIGITS ? null : nano;
}

/**
 * Returns nano-USD as dollars that `parseBudget` reads back exactly, such as `1,250.00`: two decimals, more only where they
 * are not zero.
 */
export function toDollars(nano: string): string {
  const digits = nano.padStart(NANO_USD_DECIMALS + 1, "0");
  const decimals = digits.slice(-NANO_USD_DECIMALS).replace(/0{1,7}$/, "");
  const whole = digits.slice(0, -NANO_USD_DECIMALS).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${whole}.${decimals}`;
}
