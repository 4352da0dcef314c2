/** Returns a number with thousands separators and at most three decimals: `5,204`. */
export declare function formatCount(value: number | bigint, locale?: string): string;
/** Returns a number in short form with at most one decimal: `999`, `48.3K`, `9.1M`. */
export declare function formatCompact(value: number, locale?: string): string;
/** Returns a fraction of 1 as per cent with a fixed number of decimals: `62 %`. */
export declare function formatPercent(fraction: number, decimals?: number, locale?: string): string;
/** Returns a number of parameters of a model, in all languages with the letters that names of models have: `7.6B`, `33B`. */
export declare function formatParameters(value: number, locale?: string): string;
/**
 * Returns a number of tokens exactly: `128K` for multiples of 1000, `32Ki` or `1Mi` for those of 1024, and in full for other
 * numbers.
 */
export declare function formatTokens(value: number, locale?: string): string;
/** Returns a number of bytes in decimal units, with one decimal below 100: `512 B`, `4.7 GB`, `140 GB`. */
export declare function formatBytes(value: number, locale?: string): string;
/** Returns US cents as dollars with two decimals: `$1,234.50`, `-$0.05`. */
export declare function formatCents(cents: number, locale?: string): string;
/** Returns an amount in minor units of a currency, with its decimals: `€1,234.50`, `¥1,500`, `KWD 5.120`. */
export declare function formatMoney(amount: number, currency: string, locale?: string): string;
/**
 * Returns the number of decimals of a currency, of which the minor unit is the last. Intl has others for some, since it counts
 * coins that people use.
 */
export declare function currencyDecimals(currency: string): number;
/** Returns billionths of a US dollar as dollars, exactly and with at least two decimals: `$12.00`, `$0.000045`. */
export declare function formatNanoUsd(nano: string | number | bigint, locale?: string): string;
/** Returns the price of a million tokens, exactly and with at least two decimals, from that of one in US dollars: `$0.10`. */
export declare function formatPricePerMillion(pricePerToken: string, locale?: string): string;
/** Returns a decimal number of US dollars, exactly and with at least two decimals: `$0.002`. */
export declare function formatUsd(dollars: string, locale?: string): string;
/**
 * Returns a duration in milliseconds roughly, in one unit: `40 s` (rounded up, below 90), `3 min` (below 90), `1.5 h`. A
 * negative one is zero.
 */
export declare function formatRoughDuration(milliseconds: number, locale?: string): string;
