import { decimalsOf } from "./currency-codes.ts";

const NO_BREAK_SPACE = /\u00a0/g;

/** Formats an amount in minor units: `$12.50`, `-€3.00`, `¥1500`, `KWD 5.120`. */
export function formatMoney(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    useGrouping: false,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // As a text, since a floating-point number would lose digits of large amounts.
  return format.format(`${amount}e-${decimals}` as `${number}`).replaceAll(NO_BREAK_SPACE, " ");
}

const NAMES = new Intl.DisplayNames("en", { type: "currency" });

/** Returns the name of a currency with its code: `US dollars (USD)`, `Euro (EUR)`. */
export function nameCurrency(currency: string): string {
  return currency === "USD" ? "US dollars (USD)" : `${NAMES.of(currency) ?? currency} (${currency})`;
}
