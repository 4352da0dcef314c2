const AMOUNT_PATTERN = /^([-−+]?)\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,8})(?:\.(\d{1,9}))?$/;

/** Parses dollars such as `5`, `$2.50` or `-1` to nano-USD; null for zero and invalid input. */
export function parseNanoUsd(input: string): string | null {
  const [, sign = "", whole, decimals = ""] = AMOUNT_PATTERN.exec(input.trim()) ?? [];
  if (whole === undefined) return null;
  const nano = BigInt(whole.replaceAll(",", "") + decimals.padEnd(9, "0"));
  if (nano === 0n) return null;
  return sign === "-" || sign === "−" ? `-${nano}` : String(nano);
}

/** Whether a text is a valid amount other than zero. */
export const isAmount = (input: string): boolean => parseNanoUsd(input) !== null;
