import { femtoToNano, usdToFemto } from "../../platform/core/money.ts";

/** Prices in USD, as decimal strings, per token, image and request. */
export type PriceRates = { prompt: string; completion: string; image: string; request: string };
/** The tokens, images and price of a request that decide its cost. */
export type BillableUsage = { promptTokens: number; completionTokens: number; images: number };

/** Returns the cost of a request at these rates in nano-USD, rounded up once. */
export function calculateCostNano(
  rates: PriceRates,
  { promptTokens, completionTokens, images }: BillableUsage,
): bigint {
  return femtoToNano(
    usdToFemto(rates.request) +
      usdToFemto(rates.prompt) * BigInt(promptTokens) +
      usdToFemto(rates.completion) * BigInt(completionTokens) +
      usdToFemto(rates.image) * BigInt(images),
  );
}
