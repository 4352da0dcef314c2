import { t } from "@lingui/core/macro";
import { formatDecimal } from "#/lib/format.ts";

/** Bits per weight in common formats. Quantized files also contain scales, so they are a little larger. */
const FORMATS = [
  [t`16 bit`, 16],
  [t`8 bit`, 8],
  [t`4 bit`, 4],
] as const;

const GIGABYTE = 1e9;

/** Returns the memory that the weights take in each format: computed from their number, without context and cache. */
export function estimateWeightSizes(parameters: number): { format: string; size: string }[] {
  return FORMATS.map(([format, bits]) => ({ format, size: formatBytes((parameters * bits) / 8) }));
}

function formatBytes(value: number): string {
  if (value >= 1000 * GIGABYTE) return t`${formatDecimal(value / (1000 * GIGABYTE))} TB`;
  if (value >= 100 * GIGABYTE) return t`${Math.round(value / GIGABYTE)} GB`;
  if (value >= GIGABYTE) return t`${formatDecimal(value / GIGABYTE)} GB`;
  return t`${Math.max(1, Math.round(value / 1e6))} MB`;
}
