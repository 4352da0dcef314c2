/** Bits of a weight in common formats. Quantized ones hold scales too, so their files are a little larger. */
const FORMATS = [
  ["16 bit", 16],
  ["8 bit", 8],
  ["4 bit", 4],
] as const;

const GIGABYTE = 1e9;

/** What the weights of so many parameters take in memory: arithmetic, without context and cache. */
export function weights(parameters: number): { format: string; size: string }[] {
  return FORMATS.map(([format, bits]) => ({ format, size: bytes((parameters * bits) / 8) }));
}

function bytes(value: number): string {
  if (value >= 1000 * GIGABYTE) return `${(value / (1000 * GIGABYTE)).toFixed(1)} TB`;
  if (value >= 100 * GIGABYTE) return `${Math.round(value / GIGABYTE)} GB`;
  if (value >= GIGABYTE) return `${(value / GIGABYTE).toFixed(1)} GB`;
  return `${Math.max(1, Math.round(value / 1e6))} MB`;
}
