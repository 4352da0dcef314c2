import { t } from "@lingui/core/macro";
import { i18n, SOURCE_LOCALE } from "#/i18n/runtime.ts";
import { createDateFormat } from "#/lib/format.ts";
import type { Day, DayRange } from "./days.ts";

const MONDAY = 1;
const dayFormat = createDateFormat({ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const fullFormat = createDateFormat({ dateStyle: "full", timeZone: "UTC" });
const monthFormat = createDateFormat({ month: "long", year: "numeric", timeZone: "UTC" });
const weekdayFormat = createDateFormat({ weekday: "short", timeZone: "UTC" });
const fullWeekdayFormat = createDateFormat({ weekday: "long", timeZone: "UTC" });

/** Formats a day with its weekday, for screen readers. */
export const formatFullDay = (day: Day): string => fullFormat.format(new Date(day));
/** Formats the month of a day: November 2026. */
export const formatMonth = (day: Day): string => monthFormat.format(new Date(day));
/** Formats the weekday of a day: Sat, and Saturday. */
export const formatWeekday = (day: Day): { short: string; long: string } => ({
  short: weekdayFormat.format(new Date(day)),
  long: fullWeekdayFormat.format(new Date(day)),
});

/** Formats a range: `1–21 Nov 2026`, `from 1 Nov 2026`, `until 21 Nov 2026` or `Any time`. */
export function formatRange({ from, to }: DayRange): string {
  if (from !== "" && to !== "") return dayFormat.formatRange(new Date(from), new Date(to));
  if (from !== "") return t`from ${dayFormat.format(new Date(from))}`;
  return to === "" ? t`Any time` : t`until ${dayFormat.format(new Date(to))}`;
}

/** Returns the weekday that weeks begin with in the reader's language: 1 for Monday to 7 for Sunday. */
export function getFirstWeekday(): number {
  // English on this site has British dates.
  if (i18n.locale === SOURCE_LOCALE) return MONDAY;
  const locale: Intl.Locale & { getWeekInfo?(): { firstDay: number } } = new Intl.Locale(i18n.locale);
  return locale.getWeekInfo?.().firstDay ?? MONDAY;
}
