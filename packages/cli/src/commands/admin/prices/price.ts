import type { Price } from "@feather/sdk";

/** Fields that `--json` accepts. */
export const PRICE_FIELDS = [
  "id",
  "scope",
  "model",
  "prompt",
  "completion",
  "image",
  "audio_second",
  "character",
  "request",
  "effective_at",
  "created_at",
] as const satisfies readonly (keyof Price)[];

const MILLION_DIGITS = 6;

/** Returns a price per million tokens as price per token, in dollars and exact: `0.10` becomes `0.0000001`. */
export function toPerToken(million: string): string {
  const [whole = "0", part = ""] = million.split(".");
  const padded = whole.padStart(MILLION_DIGITS + 1, "0");
  const cut = padded.length - MILLION_DIGITS;
  const decimals = `${padded.slice(cut)}${part}`.replace(/0+$/, "");
  return decimals === "" ? padded.slice(0, cut) : `${padded.slice(0, cut)}.${decimals}`;
}
