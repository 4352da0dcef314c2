import { invalid } from "./errors.ts";

/** The least that Stripe charges in some currencies, and the most in most: https://docs.stripe.com/currencies. */
const MINIMUMS: Readonly<Record<string, number>> = { usd: 50, eur: 50, gbp: 30, jpy: 50 };
const MAX_AMOUNT = 99_999_999;
/** Currencies with three decimals, of which the last has to be 0. */
const THREE_DECIMALS = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);
/** Currencies without decimals that are still written with two, both 0. */
const TWO_ZEROS = new Set(["isk", "ugx"]);

/** Throws what Stripe says about an amount that it does not charge in a currency. */
export function checkAmount(amount: number, currency: string): void {
  if (amount < (MINIMUMS[currency] ?? 1))
    throw invalid("amount", `Amount must be at least ${MINIMUMS[currency]} ${currency}`, "amount_too_small");
  if (amount > MAX_AMOUNT) throw invalid("amount", `Amount must be no more than ${MAX_AMOUNT}`, "amount_too_large");
  checkDigits(amount, currency);
}

/** Throws for an amount whose last digits have to be 0 and are not. */
export function checkDigits(amount: number, currency: string): void {
  if (THREE_DECIMALS.has(currency) && amount % 10 !== 0)
    throw invalid("amount", `Invalid amount ${amount}: the last digit must be 0 in ${currency}.`);
  if (TWO_ZEROS.has(currency) && amount % 100 !== 0)
    throw invalid("amount", `Invalid amount ${amount}: it must be divisible by 100 in ${currency}.`);
}
