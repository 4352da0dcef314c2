import type { StorePull } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { createNumberFormat, formatPercent } from "#/lib/format.ts";
import { formatBytes } from "#/lib/format-bytes.ts";

const MINUTE_S = 60;
const HOUR_S = 3600;

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
  const timeLeft = formatSeconds((total - done) / bytesPerSecond);
  return t`Downloading: ${progress}, ${rate}/s, ${timeLeft} left`;
}

/** Formats a time in its largest unit: 40 sec, 3 min, 1.5 hr. */
function formatSeconds(seconds: number): string {
  const format = (value: number, unit: "second" | "minute" | "hour", maximumFractionDigits: number) =>
    createNumberFormat({ style: "unit", unit, maximumFractionDigits }).format(value);
  if (seconds < MINUTE_S) return format(Math.ceil(seconds), "second", 0);
  if (seconds < HOUR_S) return format(Math.ceil(seconds / MINUTE_S), "minute", 0);
  return format(seconds / HOUR_S, "hour", 1);
}
