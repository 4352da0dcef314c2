import * as format from "@feather/sdk/format";
import { t } from "@lingui/core/macro";
import { i18n, SOURCE_LOCALE } from "#/i18n/runtime.ts";

const { locale } = i18n;
/** English on this site uses American numbers and British dates. */
const isSourceLocale = locale === SOURCE_LOCALE;
/** The locale of numbers. */
export const numberLocale = isSourceLocale ? "en-US" : locale;
const dateLocale = isSourceLocale ? "en-GB" : locale;

/** Returns a number formatter for the active language. */
export const createNumberFormat = (options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(numberLocale, options);
/** Returns a date formatter for the active language. */
export const createDateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(dateLocale, options);
/** Joins texts in the active language: a, b and c. */
export const formatList = (items: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string =>
  new Intl.ListFormat(locale, { type }).format(items);

/** Formats a number with a fixed number of fraction digits: 4.5, 12.0. */
export const formatDecimal = (value: number, digits = 1): string =>
  createNumberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** Formats a ratio between 0 and 1 as a percentage: 0.5 %. */
export const formatPercent = (ratio: number, digits = 1): string => format.formatPercent(ratio, digits, numberLocale);

/** Formats a percentage without digits that say nothing: 5 %, 2.5 %, 12.34 %. */
export const formatShortPercent = (percent: number): string =>
  formatPercent(percent / 100, String(Number(percent.toFixed(2))).split(".")[1]?.length ?? 0);

/** Formats a round ratio for the axis of a chart, without digits that say nothing: 25 %, 0.5 %. */
export const formatPercentTick = (ratio: number): string =>
  formatPercent(ratio, Number.isInteger(Number((100 * ratio).toFixed(6))) ? 0 : 1);

/** Formats a large number briefly, for the axis of a chart: 1.5M. */
export const formatCompact = (value: number): string => format.formatCompact(value, numberLocale);

/** Formats a whole number with group separators: 48,310. */
export const formatCount = (value: number): string => format.formatCount(value, numberLocale);

/** Formats bytes in decimal units: 512 B, 4.7 GB, 812 MB. */
export const formatBytes = (value: number): string => format.formatBytes(value, numberLocale);

/** Formats milliseconds roughly, in one unit: 12 s, 3 min, 1.5 h. */
export const formatRoughDuration = (milliseconds: number): string =>
  format.formatRoughDuration(milliseconds, numberLocale);

/** Formats the number of parameters of a model: 494M, 7.6B, 33B, 1T. */
export const formatParameterCount = (parameters: number | null): string =>
  parameters === null ? t`unknown` : format.formatParameters(parameters, numberLocale);

/** Formats a context length in tokens exactly: 40Ki for 40,960, and 128K for 128,000. */
export const formatContextLength = (tokens: number | null): string =>
  tokens === null ? t`unknown` : format.formatTokens(tokens, numberLocale);

/** Returns a context length with its name, for lists of facts: 40Ki context, or context unknown. */
export function describeContext(tokens: number | null): string {
  if (tokens === null) return t`context unknown`;
  return t`${formatContextLength(tokens)} context`;
}

/** Formats a date relative to now (2 minutes ago, in 7 days), or as an ISO date if it is 30 days away or more. */
export const formatRelativeTime = (date: Date, now: Date = new Date()): string =>
  format.formatRelativeTime(date, now, dateLocale) ?? format.formatIsoDay(date);

/** Formats a moment to the second, in the reader's time zone: 22 Nov 2026, 09:46:17. */
export const formatMoment = (date: Date): string => format.formatMoment(date, undefined, dateLocale);

/** Formats the time of a day to the second, in the reader's time zone: 09:46:17. */
export const formatClock = (date: Date): string => format.formatClock(date, undefined, dateLocale);

export { formatIsoDay } from "@feather/sdk/format";
