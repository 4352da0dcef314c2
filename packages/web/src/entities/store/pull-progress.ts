import type { StorePull } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatBytes, formatPercent, formatRoughDuration } from "#/lib/format.ts";

type StoreBytes = Pick<StorePull, "bytes_done" | "bytes_total">;

/** Returns how far a download is, in words: bytes, and while it is downloading its rate and the time left. */
export function formatPullProgress(pull: StorePull, bytesPerSecond: number | null): string {
  const { state, bytes_done: done, bytes_total: total, conversion_progress: converted } = pull;
  if (state === "queued") return t`Waiting for its turn`;
  if (state === "verifying") return t`Comparing the checksum`;
  if (state === "converting")
    return converted === null ? t`Converting to GGUF` : t`Converting to GGUF: ${formatPercent(converted, 0)}`;
  const progress = total === null ? formatBytes(done) : t`${formatBytes(done)} of ${formatBytes(total)}`;
  if (state === "paused") return t`Paused: ${progress}`;
  if (bytesPerSecond === null || bytesPerSecond <= 0) return t`Downloading: ${progress}`;
  const rate = formatBytes(bytesPerSecond);
  if (total === null) return t`Downloading: ${progress}, ${rate}/s`;
  const timeLeft = formatRoughDuration((1000 * (total - done)) / bytesPerSecond);
  return t`Downloading: ${progress}, ${rate}/s, ${timeLeft} left`;
}

/** Returns the progress of a download in percent, rounded down; empty if its size is unknown. */
export function formatProgress({ bytes_done: done, bytes_total: total }: StoreBytes): string {
  return total ? formatPercent(Math.floor((100 * done) / total) / 100, 0) : "";
}
