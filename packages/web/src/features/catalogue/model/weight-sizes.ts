import { t } from "@lingui/core/macro";
import { formatBytes } from "#/lib/format.ts";

/** Bits per weight in common formats. Quantized files also contain scales, so they are a little larger. */
const FORMATS = [
  [t`16 bit`, 16],
  [t`8 bit`, 8],
  [t`4 bit`, 4],
] as const;

/** Returns the memory that the weights take in each format: computed from their number, without context and cache. */
export function estimateWeightSizes(parameters: number): { format: string; size: string }[] {
  return FORMATS.map(([format, bits]) => ({ format, size: formatBytes((parameters * bits) / 8) }));
}
