import type { ModelFit } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatBytes } from "#/lib/format.ts";

/**
 * Returns whether this machine can load a model and how much memory that takes: `fits in fewer bits, 5.6 GB of memory`.
 */
export function formatFit({ verdict, memory_bytes }: ModelFit): string {
  if (verdict === "unknown" || memory_bytes === null) return t`unknown size`;
  const memory = formatBytes(memory_bytes);
  if (verdict === "fits") return t`fits, about ${memory} of memory`;
  if (verdict === "fits_quantized") return t`fits in fewer bits, about ${memory} of memory`;
  return t`too large, ${memory} of memory or more`;
}
