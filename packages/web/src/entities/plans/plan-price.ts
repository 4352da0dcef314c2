import type { Plan } from "@feather/sdk";

/** The currency of prices, credits and usage. */
export const USD = "USD";

/** Returns the price of an interval in minor units of a currency; null where it is on request. */
export function priceOf({ price_usd_cents, prices }: Plan, currency: string): number | null {
  if (currency === USD) return price_usd_cents;
  return prices.find((price) => price.currency === currency)?.price_cents ?? null;
}
