import { femtoToNano, usdToFemto } from "../../platform/core/money.ts";

/** Prices in USD, as decimal strings, per token, image, second of heard sound, character that is read aloud, and request. */
export type PriceRates = {
  prompt: string;
  completion: string;
  image: string;
  audio_second: string;
  character: string;
  request: string;
};
/** The tokens, images, milliseconds of sound and characters of a request that decide its cost. */
export type BillableUsage = {
  promptTokens: number;
  completionTokens: number;
  images: number;
  audioMs: number;
  characters: number;
};

const MS_PER_SECOND = 1000n;
/** Percentages have two decimals. */
const HUNDREDTHS = 100;
const WHOLE = BigInt(100 * HUNDREDTHS);

/** Returns the cost of a request at these rates in nano-USD, rounded up once. */
export function calculateCostNano(
  rates: PriceRates,
  { promptTokens, completionTokens, images, audioMs, characters }: BillableUsage,
): bigint {
  const whole =
    usdToFemto(rates.request) +
    usdToFemto(rates.prompt) * BigInt(promptTokens) +
    usdToFemto(rates.completion) * BigInt(completionTokens) +
    usdToFemto(rates.image) * BigInt(images) +
    usdToFemto(rates.character) * BigInt(characters);
  const thousandths = usdToFemto(rates.audio_second) * BigInt(audioMs);
  return femtoToNano(whole + (thousandths + MS_PER_SECOND - 1n) / MS_PER_SECOND);
}

/** Returns a percentage, of two decimals, of an amount in nano-USD, rounded up. */
export function takePercent(amountNano: bigint, percent: number): bigint {
  return (amountNano * BigInt(Math.round(percent * HUNDREDTHS)) + WHOLE - 1n) / WHOLE;
}
