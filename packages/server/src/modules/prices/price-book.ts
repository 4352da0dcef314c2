import type { components } from "@feather/openapi/schema";
import type { Clock } from "../../shared/clock.ts";
import { decimalOf, perMillion } from "./money.ts";
import type { PriceRow, PricesRepository } from "./prices.repository.ts";

type Pricing = components["schemas"]["Pricing"];
/** What determines the price of a model. A private model does not have the price of a public model with the same id. */
export type Priced = { key: string; classId: string; parameterSize: number | null };

/** How long prices are cached. Changes made by this process take effect at once. */
const TRUST = 5_000;
const BILLION = 1e9;
const SIZES = [
  { target: "up-to-4b", maxParameters: 4.5 * BILLION },
  { target: "up-to-15b", maxParameters: 15.5 * BILLION },
  { target: "up-to-34b", maxParameters: 34.5 * BILLION },
  { target: "up-to-80b", maxParameters: 80 * BILLION },
  { target: "up-to-250b", maxParameters: 250 * BILLION },
  { target: "over-250b", maxParameters: Number.POSITIVE_INFINITY },
];

/** Caches the current prices. A model has its own price, else that of its class, else that of its size. */
export function createPriceBook(prices: PricesRepository, clock: Clock) {
  let book: { targets: Map<string, PriceRow[]>; readAt: number } | undefined;
  let reading: Promise<Map<string, PriceRow[]>> | undefined;
  let changes = 0;

  async function read(): Promise<Map<string, PriceRow[]>> {
    const before = changes;
    const now = clock.now();
    const rows = await prices.currentAndComing(now);
    const newestFirst = rows.sort((a, b) => b.effective_at.getTime() - a.effective_at.getTime());
    const targets = Map.groupBy(newestFirst, ({ scope, target }) => `${scope} ${target}`);
    if (before === changes) book = { targets, readAt: now.getTime() };
    return targets;
  }

  function targets(): Promise<Map<string, PriceRow[]>> | Map<string, PriceRow[]> {
    if (book && Math.abs(clock.now().getTime() - book.readAt) < TRUST) return book.targets;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function find(known: Map<string, PriceRow[]>, model: Priced, now: Date): PriceRow | null {
    for (const name of [`model ${model.key}`, `model_class ${model.classId}`, `size ${sizeOf(model.parameterSize)}`]) {
      const row = known.get(name)?.find(({ effective_at }) => effective_at <= now);
      if (row) return row;
    }
    return null;
  }

  return {
    /** The price of a model now; null when it has none. */
    async of(model: Priced): Promise<PriceRow | null> {
      return find(await targets(), model, clock.now());
    },

    /** Returns a function that looks up the prices of many models from one snapshot, for lists. */
    async currentPrices(): Promise<(model: Priced) => Pricing | null> {
      const known = await targets();
      const now = clock.now();
      return (model) => {
        const row = find(known, model, now);
        return row && presentPricing(row);
      };
    },

    forget(): void {
      changes += 1;
      book = undefined;
      reading = undefined;
    },
  };
}

export type PriceBook = ReturnType<typeof createPriceBook>;

/** The size class of a model with this many parameters, such as `up-to-15b`. */
export function sizeOf(parameters: number | null): string {
  if (parameters === null) return "unknown-size";
  return SIZES.find(({ maxParameters }) => parameters <= maxParameters)?.target ?? "unknown-size";
}

function presentPricing({ prompt, completion, image, request }: PriceRow): Pricing {
  return {
    prompt: decimalOf(prompt),
    completion: decimalOf(completion),
    image: decimalOf(image),
    request: decimalOf(request),
    input: perMillion(prompt),
    output: perMillion(completion),
  };
}
