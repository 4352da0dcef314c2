import { isEnglish } from "./is-english.ts";

const DEFAULT_LOCALE = "en-US";

/** The largest steps first. A step begins where the next smaller one would round to 1000. */
const PARAMETER_STEPS = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;
const BYTE_STEPS = [
  [1e15, "petabyte"],
  [1e12, "terabyte"],
  [1e9, "gigabyte"],
  [1e6, "megabyte"],
  [1e3, "kilobyte"],
] as const;
const ROUNDS_TO_ONE = 0.9995;

const TOKEN_UNITS = [
  [1000 ** 2, "M"],
  [1024 ** 2, "Mi"],
  [1000, "K"],
  [1024, "Ki"],
] as const;

const WITHOUT_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF";
const WITH_THREE_DECIMALS = "BHD JOD KWD OMR TND";

const SYMBOLS = {
  byte: "B",
  kilobyte: "kB",
  megabyte: "MB",
  gigabyte: "GB",
  terabyte: "TB",
  petabyte: "PB",
  second: "s",
  minute: "min",
  hour: "h",
} as const;

/** Returns a number with thousands separators and at most three decimals: `5,204`. */
export function formatCount(value: number | bigint, locale: string = DEFAULT_LOCALE): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** Returns a number in short form with at most one decimal: `999`, `48.3K`, `9.1M`. */
export function formatCompact(value: number, locale: string = DEFAULT_LOCALE): string {
  return new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** Returns a fraction of 1 as per cent with a fixed number of decimals: `62 %`. */
export function formatPercent(fraction: number, decimals = 0, locale: string = DEFAULT_LOCALE): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // English of Intl has no space before the sign.
  if (isEnglish(locale)) return `${new Intl.NumberFormat(locale, digits).format(100 * fraction)} %`;
  return new Intl.NumberFormat(locale, { style: "percent", ...digits }).format(fraction);
}

/** Returns a number of parameters of a model, in all languages with the letters that names of models have: `7.6B`, `33B`. */
export function formatParameters(value: number, locale: string = DEFAULT_LOCALE): string {
  const [size, letter] = PARAMETER_STEPS.find(([step]) => value >= ROUNDS_TO_ONE * step) ?? [1, ""];
  const amount = value / size;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: amount < 9.95 ? 1 : 0 }).format(amount)}${letter}`;
}

/**
 * Returns a number of tokens exactly: `128K` for multiples of 1000, `32Ki` or `1Mi` for those of 1024, and in full for other
 * numbers.
 */
export function formatTokens(value: number, locale: string = DEFAULT_LOCALE): string {
  const [size, letters] = TOKEN_UNITS.find(([unit]) => value >= unit && value % unit === 0) ?? [1, ""];
  return `${formatCount(value / size, locale)}${letters}`;
}

/** Returns a number of bytes in decimal units, with one decimal below 100: `512 B`, `4.7 GB`, `140 GB`. */
export function formatBytes(value: number, locale: string = DEFAULT_LOCALE): string {
  const step = BYTE_STEPS.find(([size]) => value >= ROUNDS_TO_ONE * size);
  if (step === undefined) return formatUnit(Math.round(value), "byte", 0, locale);
  const amount = value / step[0];
  return formatUnit(amount, step[1], amount < 99.95 ? 1 : 0, locale);
}

/** Returns US cents as dollars with two decimals: `$1,234.50`, `-$0.05`. */
export function formatCents(cents: number, locale: string = DEFAULT_LOCALE): string {
  return formatMoney(cents, "USD", locale);
}

/** Returns an amount in minor units of a currency, with its decimals: `€1,234.50`, `¥1,500`, `KWD 5.120`. */
export function formatMoney(amount: number, currency: string, locale: string = DEFAULT_LOCALE): string {
  const decimals = currencyDecimals(currency);
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: currency === "USD" ? "narrowSymbol" : "symbol",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(`${amount}e-${decimals}` as `${number}`);
}

/**
 * Returns the number of decimals of a currency, of which the minor unit is the last. Intl has others for some, since it counts
 * coins that people use.
 */
export function currencyDecimals(currency: string): number {
  if (WITHOUT_DECIMALS.includes(currency)) return 0;
  return WITH_THREE_DECIMALS.includes(currency) ? 3 : 2;
}

/** Returns billionths of a US dollar as dollars, exactly and with at least two decimals: `$12.00`, `$0.000045`. */
export function formatNanoUsd(nano: string | number | bigint, locale: string = DEFAULT_LOCALE): string {
  return formatUsd(`${nano}e-9`, locale);
}

/** Returns the price of a million tokens, exactly and with at least two decimals, from that of one in US dollars: `$0.10`. */
export function formatPricePerMillion(pricePerToken: string, locale: string = DEFAULT_LOCALE): string {
  return formatUsd(`${pricePerToken}e6`, locale);
}

/** Returns a decimal number of US dollars, exactly and with at least two decimals: `$0.002`. */
export function formatUsd(dollars: string, locale: string = DEFAULT_LOCALE): string {
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: 20,
  });
  // A text keeps digits that a floating-point number would lose.
  return format.format(dollars as `${number}`);
}

/**
 * Returns a duration in milliseconds roughly, in one unit: `40 s` (rounded up, below 90), `3 min` (below 90), `1.5 h`. A
 * negative one is zero.
 */
export function formatRoughDuration(milliseconds: number, locale: string = DEFAULT_LOCALE): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 90) return formatUnit(seconds, "second", 0, locale);
  if (seconds < 5_400) return formatUnit(Math.round(seconds / 60), "minute", 0, locale);
  const hours = Math.round(seconds / 360) / 10;
  return formatUnit(hours, "hour", Number.isInteger(hours) || hours >= 10 ? 0 : 1, locale);
}

/** English of Intl writes `40 sec`, `5 hr` and `500 byte`, in place of the symbols of the units. */
function formatUnit(value: number, unit: keyof typeof SYMBOLS, decimals: number, locale: string): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  if (isEnglish(locale)) return `${new Intl.NumberFormat(locale, digits).format(value)} ${SYMBOLS[unit]}`;
  return new Intl.NumberFormat(locale, { style: "unit", unit, ...digits }).format(value);
}
