import { t } from "@lingui/core/macro";

/** Prices are USD for one token, as decimal texts; people read and write them for a million. All of it is exact. */

const MILLION_DIGITS = 6;
const FORM = /^\d{1,6}(\.\d{1,15})?$/;

export type Rates = { prompt: string; completion: string; image: string; request: string };
export type Typical = { name: string; input: number; output: number };

/** Requests as they often are, to see what a price means. */
export const TYPICAL: readonly Typical[] = [
  { name: t`A question and its answer`, input: 400, output: 300 },
  { name: t`A long document, summed up`, input: 24_000, output: 800 },
  { name: t`A turn of a coding assistant`, input: 60_000, output: 2_000 },
];

/** `0.0000001` for a token is `0.1` for a million. */
export function perMillion(perToken: string): string {
  return shifted(perToken, MILLION_DIGITS);
}

/** `0.1` for a million is `0.0000001` for a token; null for what is no price, or finer than one can be. */
export function perToken(perMillionText: string): string | null {
  const text = perMillionText.trim().replace(/^\$\s*/, "");
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) return null;
  const value = shifted(text, -MILLION_DIGITS);
  return FORM.test(value) ? value : null;
}

/** A price of one thing, such as an image; null for what is none. */
export function perThing(typed: string): string | null {
  const text = typed.trim().replace(/^\$\s*/, "");
  return FORM.test(text) ? text : null;
}

/** What a request costs, in nano-USD, rounded up once, as the server does. */
export function costOf(rates: Rates, { input, output }: Pick<Typical, "input" | "output">): string {
  const femto =
    femtoOf(rates.request) + femtoOf(rates.prompt) * BigInt(input) + femtoOf(rates.completion) * BigInt(output);
  const million = 1_000_000n;
  return String((femto + million - 1n) / million);
}

/** $0.10; more than two decimals only where they are not zero. */
export function priceWords(decimal: string): string {
  const [whole = "0", part = ""] = decimal.split(".");
  return `$${whole}.${part.padEnd(2, "0")}`;
}

function femtoOf(decimal: string): bigint {
  const [whole = "0", part = ""] = decimal.split(".");
  return BigInt(whole + part.slice(0, 15).padEnd(15, "0"));
}

/** A decimal text with its point moved: to the right, or to the left where it is below zero. */
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
