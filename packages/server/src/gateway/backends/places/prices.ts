import { trimDecimal } from "../../../platform/core/money.ts";
import { isRecord } from "../../usage/reported-usage.ts";
import { listLiveHosts } from "./hosts.ts";

/** Prices that are not for tokens, in USD; absent if they are not stated or nothing. */
export type UnitPrices = {
  /** For an image of the prompt or of the answer. */
  readonly image?: string;
  /** For a second of sound that is written down. */
  readonly audioSecond?: string;
  /** For a character that is read aloud. */
  readonly character?: string;
};

/** What a backend charges, in USD per token: plain decimals with at most 15 places, which `usdToFemto` reads exactly. */
export type PlacePrice = UnitPrices & {
  readonly prompt: string;
  readonly completion: string;
  /** For the tokens of a prompt that are read from a cache; null if it is not stated. */
  readonly cachedPrompt: string | null;
};

/** The number of decimal places of a price. */
const DECIMAL_PLACES = 15;
const PER_TOKEN = 0;
const PER_MILLION_TOKENS = 6;
/** A higher price in USD per token counts as an error. */
const MAX_PRICE_USD = 1;
const UNIT_NAMES = ["image", "audioSecond", "character"] as const satisfies readonly (keyof UnitPrices)[];

/**
 * Returns the price in an entry of a list of models: that of OpenRouter, Together, DeepInfra or Hugging Face, or that of
 * LiteLLM's information on a model. Null if there is none, or if it is no price.
 */
export function readPrice(entry: Record<string, unknown>): PlacePrice | null {
  const { pricing, metadata } = entry;
  if (isRecord(pricing) && pricing.prompt !== undefined) {
    const price = toPrice(PER_TOKEN, pricing.prompt, pricing.completion, pricing.input_cache_read);
    return price && { ...price, ...toUnitPrices({ image: pricing.image }) };
  }
  if (isRecord(pricing)) return readPerMillion(pricing.input, pricing.output, pricing.cached_input);
  if (isRecord(metadata) && isRecord(metadata.pricing)) {
    const { input_tokens, output_tokens, cache_read_tokens } = metadata.pricing;
    return readPerMillion(input_tokens, output_tokens, cache_read_tokens);
  }
  if (entry.input_cost_per_token !== undefined) return readLitellmPrice(entry);
  return chooseHighest(
    listLiveHosts(entry).map((host) =>
      isRecord(host.pricing) ? readPerMillion(host.pricing.input, host.pricing.output, undefined) : null,
    ),
  );
}

/**
 * Returns the most that a call can cost if one of several models answers it; null if the price of one is unknown, or there
 * is none.
 */
export function chooseHighest(prices: readonly (PlacePrice | null)[]): PlacePrice | null {
  const known = prices.flatMap((price) => price ?? []);
  if (known.length === 0 || known.length < prices.length) return null;
  const highest = (read: (price: PlacePrice) => string) =>
    known.map(read).reduce((a, b) => (Number(b) > Number(a) ? b : a));
  const units = UNIT_NAMES.filter((name) => known.some((price) => price[name] !== undefined));
  const isCacheKnown = known.every(({ cachedPrompt }) => cachedPrompt !== null);
  return {
    prompt: highest(({ prompt }) => prompt),
    completion: highest(({ completion }) => completion),
    cachedPrompt: isCacheKnown ? highest(({ cachedPrompt }) => cachedPrompt ?? "0") : null,
    ...Object.fromEntries(units.map((name) => [name, highest((price) => price[name] ?? "0")])),
  };
}

/** Returns the price in LiteLLM's information on a model. Those without a price by token have none there, or zero. */
function readLitellmPrice(entry: Record<string, unknown>): PlacePrice | null {
  const {
    input_cost_per_token: prompt,
    output_cost_per_token: completion,
    cache_read_input_token_cost: cached,
  } = entry;
  const units = toUnitPrices({
    image: entry.output_cost_per_image ?? entry.input_cost_per_image,
    audioSecond: entry.input_cost_per_second,
    character: entry.input_cost_per_character,
  });
  if (Object.keys(units).length === 0) return withoutZero(toPrice(PER_TOKEN, prompt, completion, cached ?? undefined));
  const price = toPrice(PER_TOKEN, prompt ?? 0, completion ?? 0, cached ?? undefined);
  return price && { ...price, ...units };
}

/** Returns the prices that are more than nothing. */
function toUnitPrices(stated: Partial<Record<keyof UnitPrices, unknown>>): UnitPrices {
  return Object.fromEntries(
    UNIT_NAMES.flatMap((name) => {
      const price = parseUsd(stated[name], PER_TOKEN);
      return price === null || price === "0" ? [] : [[name, price]];
    }),
  );
}

function readPerMillion(input: unknown, output: unknown, cached: unknown): PlacePrice | null {
  return withoutZero(toPrice(PER_MILLION_TOKENS, input, output, cached));
}

/**
 * Together and LiteLLM write zero for models without a price by token, for example those that are charged by the hour.
 * OpenRouter writes it for models that cost nothing.
 */
function withoutZero(price: PlacePrice | null): PlacePrice | null {
  return price?.prompt === "0" && price.completion === "0" ? null : price;
}

function toPrice(perTokens: number, prompt: unknown, completion: unknown, cached: unknown): PlacePrice | null {
  const price = { prompt: parseUsd(prompt, perTokens), completion: parseUsd(completion, perTokens) };
  if (price.prompt === null || price.completion === null) return null;
  return { prompt: price.prompt, completion: price.completion, cachedPrompt: parseUsd(cached, perTokens) };
}

/**
 * Returns an amount of USD, a number or a text such as `0.06` or `1.5e-7`, divided by 10 to the power of `shift`, as a plain
 * decimal that is rounded to 15 places. Null for anything else, for less than 0 and for more than any model costs.
 */
function parseUsd(value: unknown, shift: number): string | null {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return null;
  const match = /^(\d{1,20})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i.exec(text);
  if (!match || Number(text) / 10 ** shift > MAX_PRICE_USD) return null;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction);
  const places = fraction.length - Number(exponent) + shift;
  const femto =
    places <= DECIMAL_PLACES
      ? digits * 10n ** BigInt(DECIMAL_PLACES - places)
      : divideRounded(digits, 10n ** BigInt(places - DECIMAL_PLACES));
  const padded = String(femto).padStart(DECIMAL_PLACES + 1, "0");
  return trimDecimal(`${padded.slice(0, -DECIMAL_PLACES)}.${padded.slice(-DECIMAL_PLACES)}`);
}

function divideRounded(value: bigint, divisor: bigint): bigint {
  return (value + divisor / 2n) / divisor;
}
