import { t } from "@lingui/core/macro";
import { formatShortPercent } from "#/lib/format.ts";

/** Returns how an amount of seven days compares with that of the seven days before: "12 % more than in the 7 days before". */
export function describeChange(now: number, before: number): string {
  if (before === 0) return now === 0 ? "" : t`none in the 7 days before`;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  if (percent === 0) return t`as in the 7 days before`;
  const share = formatShortPercent(percent);
  return now > before ? t`${share} more than in the 7 days before` : t`${share} less than in the 7 days before`;
}
