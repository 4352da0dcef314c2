import type { components } from "@feather/openapi/schema";
import { z } from "zod";
import { type CurrencyRate, type CurrencyRow, costOfUsdCents, toCurrencyRate, USD } from "../currencies/index.ts";
import type { PlanRow } from "./plans.repository.ts";

type PlanPrice = components["schemas"]["PlanPrice"];
type PricedPlan = Pick<PlanRow, "price_usd_cents" | "prices">;

const pricesSchema = z.record(z.string(), z.number());

/** Returns the prices that a plan has of its own in other currencies, in minor units by code. */
export function ownPricesOf({ prices }: Pick<PlanRow, "prices">): Record<string, number> {
  return pricesSchema.parse(prices);
}

/**
 * Returns the price of one interval in a currency, in minor units: its own, or that in US dollars at the present rate, rounded up.
 * Null means on request.
 */
export function priceIn(plan: PricedPlan, rate: CurrencyRate): number | null {
  if (plan.price_usd_cents === null || rate.currency === USD) return plan.price_usd_cents;
  return ownPricesOf(plan)[rate.currency] ?? costOfUsdCents(plan.price_usd_cents, rate);
}

/** Returns the prices of a plan in currencies other than US dollars. */
export function toPlanPriceDtos(
  plan: PricedPlan,
  currencies: readonly Pick<CurrencyRow, "code" | "units_per_usd">[],
): PlanPrice[] {
  const own = ownPricesOf(plan);
  return currencies
    .filter(({ code }) => code !== USD)
    .flatMap(({ code, units_per_usd }) => {
      const price = priceIn(plan, toCurrencyRate(code, units_per_usd));
      return price === null ? [] : [{ currency: code, price_cents: price, is_converted: own[code] === undefined }];
    });
}
