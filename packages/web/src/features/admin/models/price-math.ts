import { t } from "@lingui/core/macro";

// Prices are USD per token as decimal strings, shown per million tokens. All conversions are exact.

const DIGITS_OF_A_MILLION = 6;
const PRICE_PATTERN = /^\d{1,6}(\.\d{1,15})?$/;

/** Prices in USD per token, image, second of sound, character and request, as decimal strings. */
export type Rates = {
  prompt: string;
  completion: string;
  image: string;
  audio_second: string;
  character: string;
  request: string;
};
/** A typical request, with its input and output tokens. */
export type TypicalRequest = { name: string; input: number; output: number };

/** Requests used to illustrate a price. */
export const TYPICAL_REQUESTS: readonly TypicalRequest[] = [
  { name: t`A question and its answer`, input: 400, output: 300 },
  { name: t`A long document, summed up`, input: 24_000, output: 800 },
  { name: t`A turn of a coding assistant`, input: 60_000, output: 2_000 },
];

/** Converts a price per token to one per million tokens: `0.0000001` becomes `0.1`. */
export function pricePerMillion(pricePerToken: string): string {
  return shiftDecimalPoint(pricePerToken, DIGITS_OF_A_MILLION);
}

/**
 * Converts a price per million tokens to one per token: `0.1` becomes `0.0000001`. Null if it is invalid or too
 * precise.
 */
export function pricePerToken(text: string): string | null {
  const normalized = text.trim().replace(/^\$\s*/, "");
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(normalized)) return null;
  const value = shiftDecimalPoint(normalized, -DIGITS_OF_A_MILLION);
  return PRICE_PATTERN.test(value) ? value : null;
}

/** Parses the price of one image, second, character or request; null if it is invalid. */
export function parsePrice(input: string): string | null {
  const text = input.trim().replace(/^\$\s*/, "");
  return PRICE_PATTERN.test(text) ? text : null;
}

/** Returns the cost of a request in nano-USD, rounded up once like on the server. */
export function calculateCost(rates: Rates, { input, output }: Pick<TypicalRequest, "input" | "output">): string {
  const femtoUsd =
    toFemtoUsd(rates.request) +
    toFemtoUsd(rates.prompt) * BigInt(input) +
    toFemtoUsd(rates.completion) * BigInt(output);
  const million = 1_000_000n;
  return String((femtoUsd + million - 1n) / million);
}

function toFemtoUsd(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.slice(0, 15).padEnd(15, "0"));
}

/** Moves the decimal point to the right, or to the left for negative `places`. */
function shiftDecimalPoint(decimal: string, digitCount: number): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const digits = whole + fraction;
  const point = whole.length + digitCount;
  const padded = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const splitAt = Math.max(1, point);
  const integerPart = padded.slice(0, splitAt).replace(/^0+(?=\d)/, "");
  const fractionPart = padded.slice(splitAt).replace(/0+$/, "");
  return fractionPart === "" ? integerPart : `${integerPart}.${fractionPart}`;
}
