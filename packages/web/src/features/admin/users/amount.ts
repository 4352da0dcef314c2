const FORM = /^([-−+]?)\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,8})(?:\.(\d{1,9}))?$/;

/** Nano-USD of dollars as a person types them, such as `5`, `$2.50` or `-1`; null for zero and anything else. */
export function nanoOf(typed: string): string | null {
  const [, sign = "", whole, decimals = ""] = FORM.exec(typed.trim()) ?? [];
  if (whole === undefined) return null;
  const nano = BigInt(whole.replaceAll(",", "") + decimals.padEnd(9, "0"));
  if (nano === 0n) return null;
  return sign === "-" || sign === "−" ? `-${nano}` : String(nano);
}

export const isAmount = (typed: string): boolean => nanoOf(typed) !== null;
