import { t } from "@lingui/core/macro";
import { formatCompact, formatCount, formatDecimal } from "#/lib/format.ts";
import { HOUR_MS } from "#/lib/time.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Smaller numbers get a decimal. */
const DECIMAL_BELOW = 10;

/** Formats milliseconds: 3 ms, 1.2 s, 10 min, 5 h. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 2 * HOUR_MS) return t`${formatShort(milliseconds / HOUR_MS)} h`;
  if (milliseconds >= 2 * MINUTE_MS) return t`${formatShort(milliseconds / MINUTE_MS)} min`;
  if (milliseconds >= SECOND_MS) return t`${formatShort(milliseconds / SECOND_MS)} s`;
  return t`${formatShort(milliseconds)} ms`;
}

/** Formats a rate: 0.3, 12, 1.2K. */
export const formatRate = (value: number): string =>
  value < DECIMAL_BELOW ? formatShort(value) : formatCompact(Math.round(value));

/** A number with a decimal where it is small and not whole: 0.3, 7, 12. */
function formatShort(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return rounded < 100 && !Number.isInteger(rounded) ? formatDecimal(rounded) : formatCount(Math.round(value));
}
