import { t } from "@lingui/core/macro";

// Prices are USD per token as decimal strings, shown per million tokens. All conversions are exact.

const MILLION_DIGITS = 6;
const FORM = /^\d{1,6}(\.\d{1,15})?$/;

/** Prices in USD per token, image and request, as decimal strings. */
export type Rates = { prompt: string; completion: string; image: string; request: string };
/** A typical request, with its input and output tokens. */
export type Typical = { name: string; input: number; output: number };

/** Requests used to illustrate a price. */
export const TYPICAL: readonly Typical[] = [
  { name: t`A question and its answer`, input: 400, output: 300 },
  { name: t`A long document, summed up`, input: 24_000, output: 800 },
  { name: t`A turn of a coding assistant`, input: 60_000, output: 2_000 },
];

/** Converts a price per token to one per million tokens: `0.0000001` becomes `0.1`. */
export function perMillion(perToken: string): string {
  return shifted(perToken, MILLION_DIGITS);
}

/**
 * Converts a price per million tokens to one per token: `0.1` becomes `0.0000001`. Null if it is invalid or too
 * precise.
 */
export function perToken(perMillionText: string): string | null {
  const text = perMillionText.trim().replace(/^\$\s*/, "");
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) return null;
  const value = shifted(text, -MILLION_DIGITS);
  return FORM.test(value) ? value : null;
}

/** Parses the price of one image or request; null if it is invalid. */
export function perThing(typed: string): string | null {
  const text = typed.trim().replace(/^\$\s*/, "");
  return FORM.test(text) ? text : null;
}

/** Returns the cost of a request in nano-USD, rounded up once like on the server. */
export function costOf(rates: Rates, { input, output }: Pick<Typical, "input" | "output">): string {
  const femto =
    femtoOf(rates.request) + femtoOf(rates.prompt) * BigInt(input) + femtoOf(rates.completion) * BigInt(output);
  const million = 1_000_000n;
  return String((femto + million - 1n) / million);
}

/** Formats a decimal, such as `$0.10`; further decimals only if they are not zero. */
export function priceWords(decimal: string): string {
  const [whole = "0", part = ""] = decimal.split(".");
  return `$${whole}.${part.padEnd(2, "0")}`;
}

function femtoOf(decimal: string): bigint {
  const [whole = "0", part = ""] = decimal.split(".");
  return BigInt(whole + part.slice(0, 15).padEnd(15, "0"));
}

/** Moves the decimal point to the right, or to the left for negative `places`. */
function shifted(decimal: string, places: number): string {
  const [whole = "0", part = ""] = decimal.split(".");
  const digits = whole + part;
  const point = whole.length + places;
  const wide = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const at = Math.max(1, point);
  const left = wide.slice(0, at).replace(/^0+(?=\d)/, "");
  const right = wide.slice(at).replace(/0+$/, "");
  return right === "" ? left : `${left}.${right}`;
}
