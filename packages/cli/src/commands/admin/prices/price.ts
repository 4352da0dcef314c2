import type { Schemas } from "@feather/sdk";

export type Price = Schemas["Price"];

/** Fields that `--json` takes. */
export const PRICE_FIELDS = [
  "id",
  "scope",
  "model",
  "prompt",
  "completion",
  "image",
  "request",
  "effective_at",
  "created_at",
] as const satisfies readonly (keyof Price)[];

const MILLION_DIGITS = 6;

/** The price of a token as that of a million, exactly and with at least two decimals: `$0.10`. */
export function perMillion(perToken: string): string {
  const [whole = "0", part = ""] = perToken.split(".");
  const digits = part.padEnd(MILLION_DIGITS, "0");
  const dollars = `${whole}${digits.slice(0, MILLION_DIGITS)}`.replace(/^0+(?=\d)/, "");
  return `$${dollars}.${digits.slice(MILLION_DIGITS).replace(/0+$/, "").padEnd(2, "0")}`;
}

/** The price of a million tokens as that of one: `0.10` is `0.0000001`. */
export function perToken(million: string): string {
  const [whole = "0", part = ""] = million.split(".");
  const padded = whole.padStart(MILLION_DIGITS + 1, "0");
  const cut = padded.length - MILLION_DIGITS;
  const decimals = `${padded.slice(cut)}${part}`.replace(/0+$/, "");
  return decimals === "" ? padded.slice(0, cut) : `${padded.slice(0, cut)}.${decimals}`;
}
