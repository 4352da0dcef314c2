import { femtoOf, nanoOf } from "./money.ts";

export type Rates = { prompt: string; completion: string; image: string; request: string };
export type Consumption = { promptTokens: number; completionTokens: number; images: number };

/** What a request costs at these rates, in nano-USD, rounded up once. */
export function costOf(rates: Rates, { promptTokens, completionTokens, images }: Consumption): bigint {
  return nanoOf(
    femtoOf(rates.request) +
      femtoOf(rates.prompt) * BigInt(promptTokens) +
      femtoOf(rates.completion) * BigInt(completionTokens) +
      femtoOf(rates.image) * BigInt(images),
  );
}
