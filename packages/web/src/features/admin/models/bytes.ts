import { t } from "@lingui/core/macro";
import { decimal, percent } from "#/lib/format.ts";
/** 4.7 GB, 812 MB. */
export function bytes(value: number): string {
  if (value >= 1e9) return t`${decimal(value / 1e9)} GB`;
  if (value >= 1e6) return t`${Math.round(value / 1e6)} MB`;
  return t`${Math.round(value / 1e3)} kB`;
}

/** How far a download is, in percent; nothing where its size is not known. */
export function progressOf({ bytes_done, bytes_total }: { bytes_done: number; bytes_total: number | null }): string {
  return bytes_total ? percent(Math.floor((100 * bytes_done) / bytes_total) / 100, 0) : "";
}
