import type { components } from "@feather/openapi/schema";
import type { Selectable } from "kysely";
import type { Requests } from "../../core/db/schema.generated.ts";
import { femtoToNano, trimDecimal, usdToFemto } from "./money.ts";

type Receipt = components["schemas"]["Receipt"];
/** Prices in USD, as decimal strings, per token, image and request. */
export type PriceRates = { prompt: string; completion: string; image: string; request: string };
/** What a request used, as far as it is billed. */
export type BillableUsage = { promptTokens: number; completionTokens: number; images: number };

/** The cost of a request at these rates in nano-USD, rounded up once. */
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

/** Converts the cost of a request to the cost fields of its receipt. */
export function toCostDto(
  row: Selectable<Requests>,
): Pick<Receipt, "billing_mode" | "cost_status" | "cost_nano_usd" | "price"> {
  const price = row.price_id !== null && {
    id: row.price_id,
    prompt: trimDecimal(row.prompt_price ?? "0"),
    completion: trimDecimal(row.completion_price ?? "0"),
    image: trimDecimal(row.image_price ?? "0"),
    request: trimDecimal(row.request_price ?? "0"),
    images: row.images,
  };
  return {
    billing_mode: row.billing_mode as Receipt["billing_mode"],
    cost_status: row.cost_status as Receipt["cost_status"],
    cost_nano_usd: row.cost_nano_usd,
    price: price || null,
  };
}
