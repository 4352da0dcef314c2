import { type CurrencyRate, costOfUsdCents } from "../../currencies/index.ts";

/**
 * Stripe's smallest amounts in minor units, where it names one: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.
 * They hold where charges are settled in the same currency.
 */
const MINIMUMS: Readonly<Record<string, number>> = {
  USD: 50,
  AED: 200,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1000,
};
/** What a charge is worth at least that Stripe converts to another currency, in US cents. */
const MINIMUM_USD_CENTS = 50;

/** Currencies without decimals whose amounts Stripe still takes with two: https://docs.stripe.com/currencies#special-cases. */
const WITH_TWO_ZEROS = new Set(["ISK", "UGX"]);

/**
 * Returns the smallest amount that Stripe charges, in minor units: its own of the currency, and no less than half a US dollar's worth
 * where it names none.
 */
export function minChargeCents(rate: CurrencyRate): number {
  return MINIMUMS[rate.currency] ?? costOfUsdCents(MINIMUM_USD_CENTS, rate);
}

/** Converts minor units to an amount as Stripe takes it. */
export function toStripeAmount(minor: number, currency: string): number {
  return WITH_TWO_ZEROS.has(currency) ? minor * 100 : minor;
}

/** Converts an amount of Stripe to minor units. Stripe writes codes of currencies in small letters. */
export function fromStripeAmount(amount: number, stripeCurrency: string): number {
  return WITH_TWO_ZEROS.has(toCode(stripeCurrency)) ? Math.round(amount / 100) : amount;
}

/** Returns the code of a currency as Stripe writes it in capital letters. */
export function toCode(stripeCurrency: string): string {
  return stripeCurrency.toUpperCase();
}
