import type { components } from "@feather/openapi/schema";
import type { Selectable } from "kysely";
import type { Requests } from "../../db/schema.generated.ts";
import { decimalOf, femtoOf, nanoOf } from "./money.ts";

type Receipt = components["schemas"]["Receipt"];
/** Prices in USD, as decimal strings, per token, image and request. */
export type Rates = { prompt: string; completion: string; image: string; request: string };
/** What a request used, as far as it is billed. */
export type Consumption = { promptTokens: number; completionTokens: number; images: number };

/** The cost of a request at these rates in nano-USD, rounded up once. */
export function costOf(rates: Rates, { promptTokens, completionTokens, images }: Consumption): bigint {
  return nanoOf(
    femtoOf(rates.request) +
      femtoOf(rates.prompt) * BigInt(promptTokens) +
      femtoOf(rates.completion) * BigInt(completionTokens) +
      femtoOf(rates.image) * BigInt(images),
  );
}

/** Converts the cost of a request to the cost fields of its receipt. */
export function presentCost(
  row: Selectable<Requests>,
): Pick<Receipt, "billing_mode" | "cost_status" | "cost_nano_usd" | "price"> {
  const price = row.price_id !== null && {
    id: row.price_id,
    prompt: decimalOf(row.prompt_price ?? "0"),
    completion: decimalOf(row.completion_price ?? "0"),
    image: decimalOf(row.image_price ?? "0"),
    request: decimalOf(row.request_price ?? "0"),
    images: row.images,
  };
  return {
    billing_mode: row.billing_mode as Receipt["billing_mode"],
    cost_status: row.cost_status as Receipt["cost_status"],
    cost_nano_usd: row.cost_nano_usd,
    price: price || null,
  };
}
