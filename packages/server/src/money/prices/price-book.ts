import type { components } from "@feather/openapi/schema";
import type { Clock } from "../../platform/core/clock.ts";
import { trimDecimal, usdPerMillion } from "../../platform/core/money.ts";
import { type CacheOptions, createCache } from "../../platform/core/replicas/cache.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { PriceRow, PricesRepository } from "./prices.repository.ts";

type Pricing = components["schemas"]["Pricing"];
/** What determines the price of a model. A private model does not have the price of a public model with the same id. */
export type PricedModel = { key: string; classId: string; parameterSize: number | null };

/** All prices are read together. */
const PRICE_CACHE: CacheOptions = { max: 1, ttlMs: 5_000, tables: ["prices"] };
const BILLION = 1e9;
const SIZE_CLASSES = [
  { target: "up-to-4b", maxParameters: 4.5 * BILLION },
  { target: "up-to-15b", maxParameters: 15.5 * BILLION },
  { target: "up-to-34b", maxParameters: 34.5 * BILLION },
  { target: "up-to-80b", maxParameters: 80 * BILLION },
  { target: "up-to-250b", maxParameters: 250 * BILLION },
  { target: "over-250b", maxParameters: Number.POSITIVE_INFINITY },
];

/** Caches the current prices. A model has its own price, else that of its class, else that of its size. */
export function createPriceBook(
  pricesRepository: PricesRepository,
  { clock, replicas }: { clock: Clock; replicas: Replicas },
) {
  const cache = createCache<Map<string, PriceRow[]>>(replicas, PRICE_CACHE, () => clock.now().getTime());

  async function readTargets(): Promise<Map<string, PriceRow[]>> {
    const rows = await pricesRepository.listCurrentAndFuture(clock.now());
    const newestFirst = rows.sort((a, b) => b.effective_at.getTime() - a.effective_at.getTime());
    return Map.groupBy(newestFirst, ({ scope, target }) => `${scope} ${target}`);
  }

  const targets = () => cache.read("all", readTargets);

  function find(pricesByTarget: Map<string, PriceRow[]>, model: PricedModel, now: Date): PriceRow | null {
    for (const name of [
      `model ${model.key}`,
      `model_class ${model.classId}`,
      `size ${sizeClassOf(model.parameterSize)}`,
    ]) {
      const row = pricesByTarget.get(name)?.find(({ effective_at }) => effective_at <= now);
      if (row) return row;
    }
    return null;
  }

  return {
    /** Returns the current price of a model; null if it has none. */
    async findPrice(model: PricedModel): Promise<PriceRow | null> {
      return find(await targets(), model, clock.now());
    },

    /** Returns a function that looks up the prices of many models from one snapshot, for lists. */
    async createPriceLookup(): Promise<(model: PricedModel) => Pricing | null> {
      const pricesByTarget = await targets();
      const now = clock.now();
      return (model) => {
        const row = find(pricesByTarget, model, now);
        return row && toPricingDto(row);
      };
    },

    /** Clears the cache, so that this process uses changed prices immediately. */
    invalidate: cache.clear,
  };
}

export type PriceBook = ReturnType<typeof createPriceBook>;

/** Returns the size class of a model with this many parameters, such as `up-to-15b`. */
export function sizeClassOf(parameters: number | null): string {
  if (parameters === null) return "unknown-size";
  return SIZE_CLASSES.find(({ maxParameters }) => parameters <= maxParameters)?.target ?? "unknown-size";
}

function toPricingDto({ prompt, completion, image, audio_second, character, request }: PriceRow): Pricing {
  return {
    prompt: trimDecimal(prompt),
    completion: trimDecimal(completion),
    image: trimDecimal(image),
    audio_second: trimDecimal(audio_second),
    character: trimDecimal(character),
    request: trimDecimal(request),
    input: usdPerMillion(prompt),
    output: usdPerMillion(completion),
  };
}
