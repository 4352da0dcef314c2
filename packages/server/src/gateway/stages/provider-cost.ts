import type { PlacePrice } from "../backends/places/prices.ts";
import type { Backend } from "../backends/registry.ts";
import { calculateCostNano } from "../usage/cost.ts";
import type { UsageRow } from "../usage/usage-writer.ts";

type Answerable = { model: { key: string }; backends: readonly Pick<Backend, "name" | "places">[] };

/**
 * Returns the usage row with what the provider charges for the call by its list of models, in nano-USD. Nothing for a failed call
 * and for one with the organization's own key; null where the backend states no price for the model.
 */
export function withProviderCost(row: UsageRow, { model, backends }: Answerable): UsageRow {
  const answering = backends.find(({ name }) => name === row.backend);
  const price = answering?.places?.get(model.key)?.price;
  if (!price) return row;
  const isFree = row.outcome === "failed" || row.own_key === true;
  return { ...row, provider_cost_nano_usd: isFree ? "0" : String(calculateProviderCost(price, row)) };
}

function calculateProviderCost(price: PlacePrice, row: UsageRow): bigint {
  const cachedTokens = Math.min(row.cached_tokens ?? 0, row.prompt_tokens ?? 0);
  const uncached = calculateCostNano(
    {
      prompt: price.prompt,
      completion: price.completion,
      image: price.image ?? "0",
      audio_second: price.audioSecond ?? "0",
      character: price.character ?? "0",
      request: "0",
    },
    {
      promptTokens: (row.prompt_tokens ?? 0) - cachedTokens,
      completionTokens: row.completion_tokens ?? 0,
      images: row.images ?? 0,
      audioMs: row.audio_ms ?? 0,
      characters: row.characters ?? 0,
    },
  );
  return uncached + calculateCachedCost(price, cachedTokens);
}

function calculateCachedCost({ prompt, cachedPrompt }: PlacePrice, cachedTokens: number): bigint {
  const nothing = { completion: "0", image: "0", audio_second: "0", character: "0", request: "0" };
  const used = { promptTokens: cachedTokens, completionTokens: 0, images: 0, audioMs: 0, characters: 0 };
  return calculateCostNano({ ...nothing, prompt: cachedPrompt ?? prompt }, used);
}
