import { t } from "@lingui/core/macro";
import { i18n, SOURCE_LOCALE } from "#/i18n/runtime.ts";

const { locale } = i18n;
/** English on this site uses American numbers and British dates. */
const isSourceLocale = locale === SOURCE_LOCALE;

/** Returns a number formatter for the active language. */
export const createNumberFormat = (options?: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(isSourceLocale ? "en-US" : locale, options);
/** Returns a date formatter for the active language. */
export const createDateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(isSourceLocale ? "en-GB" : locale, options);
/** Joins texts in the active language: a, b and c. */
export const formatList = (items: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string =>
  new Intl.ListFormat(locale, { type }).format(items);

const wholeNumberFormat = createNumberFormat();

/** Formats a number with a fixed number of fraction digits: 4.5, 12.0. */
export const formatDecimal = (value: number, digits = 1): string =>
  createNumberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** Formats a ratio between 0 and 1 as a percentage: 0.5 %. English has a space before the sign, too. */
export const formatPercent = (ratio: number, digits = 1): string =>
  isSourceLocale
    ? `${formatDecimal(100 * ratio, digits)} %`
    : createNumberFormat({ style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
        ratio,
      );

/** Formats a round ratio for the axis of a chart, without digits that say nothing: 25 %, 0.5 %. */
export const formatPercentTick = (ratio: number): string =>
  formatPercent(ratio, Number.isInteger(Number((100 * ratio).toFixed(6))) ? 0 : 1);

const compactFormat = createNumberFormat({ notation: "compact", maximumFractionDigits: 1 });

/** Formats a large number briefly, for the axis of a chart: 1.5M. */
export const formatCompact = (value: number): string => compactFormat.format(value);

/** Formats a whole number with group separators: 48,310. */
export const formatCount = (value: number): string => wholeNumberFormat.format(value);

/** Formats the number of parameters of a model: 494M, 7.6B, 33B, 1.0T. */
export function formatParameterCount(parameters: number | null): string {
  if (parameters === null) return t`unknown`;
  if (parameters >= 1e12) return `${formatDecimal(parameters / 1e12)}T`;
  if (parameters >= 1e10) return `${Math.round(parameters / 1e9)}B`;
  if (parameters >= 1e9) return `${formatDecimal(parameters / 1e9)}B`;
  return `${Math.round(parameters / 1e6)}M`;
}

/** Formats a context length in tokens, in units of 1024: 40K for 40,960. */
export function formatContextLength(tokens: number | null): string {
  if (tokens === null) return t`unknown`;
  if (tokens >= 1_000_000) return `${formatDecimal(tokens / 1_048_576, tokens % 1_048_576 === 0 ? 0 : 1)}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1024)}K` : String(tokens);
}

/** Returns a context length with its name, for lists of facts: 40K context, or context unknown. */
export function describeContext(tokens: number | null): string {
  if (tokens === null) return t`context unknown`;
  return t`${formatContextLength(tokens)} context`;
}

/** Formats a date relative to now (2 minutes ago, yesterday), or as an ISO date if it is more than a week away. */
export function formatRelativeTime(date: Date, now: Date = new Date()): string {
  const seconds = Math.round((now.getTime() - date.getTime()) / 1000);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (Math.abs(seconds) < 60) return t`just now`;
  if (Math.abs(seconds) < 3600) return relative.format(-Math.round(seconds / 60), "minute");
  if (Math.abs(seconds) < 86_400) return relative.format(-Math.round(seconds / 3600), "hour");
  if (Math.round(Math.abs(seconds) / 86_400) <= 7) return relative.format(-Math.round(seconds / 86_400), "day");
  return date.toISOString().slice(0, 10);
}

const momentFormat = createDateFormat({ dateStyle: "medium", timeStyle: "medium" });

/** Formats a moment to the second, in the reader's time zone: 22 Nov 2026, 09:46:17. */
export const formatMoment = (date: Date): string => momentFormat.format(date);

/** Formats a date as an ISO date in UTC: 2026-03-01. */
export const formatIsoDay = (date: Date): string => date.toISOString().slice(0, 10);
