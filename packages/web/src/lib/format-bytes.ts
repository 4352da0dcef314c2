import { t } from "@lingui/core/macro";
import { formatDecimal, formatPercent } from "./format.ts";

const GIGABYTE = 1e9;

/** Formats bytes in decimal units, such as `4.7 GB` or `812 MB`. */
export function formatBytes(value: number): string {
  if (value >= 1000 * GIGABYTE) return t`${formatDecimal(value / (1000 * GIGABYTE))} TB`;
  if (value >= 100 * GIGABYTE) return t`${Math.round(value / GIGABYTE)} GB`;
  if (value >= GIGABYTE) return t`${formatDecimal(value / GIGABYTE)} GB`;
  if (value >= 1e6) return t`${Math.round(value / 1e6)} MB`;
  return t`${Math.round(value / 1e3)} kB`;
}

/** Formats the progress of a download in percent; empty if its size is unknown. */
export function formatProgress({
  bytes_done,
  bytes_total,
}: {
  bytes_done: number;
  bytes_total: number | null;
}): string {
  return bytes_total ? formatPercent(Math.floor((100 * bytes_done) / bytes_total) / 100, 0) : "";
}
