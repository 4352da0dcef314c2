/**
 * Writes values of the API for people: counts, bytes, dollars, durations, dates and ages. The functions are pure and need nothing
 * but `Intl`. All take a locale as BCP 47 tag, by default `en-US` for numbers and `en-GB` for dates: `1,234` and `20 Dec 2026`.
 *
 * ```ts
 * import { formatBytes, formatDay, formatNanoUsd } from "@feather/sdk/format";
 *
 * console.log(formatBytes(4_700_000_000), formatNanoUsd("1500000000")); // 4.7 GB $1.50
 * console.log(formatDay(new Date("2026-12-20"), "UTC")); // 20 Dec 2026
 * ```
 */
export * from "./format/dates.ts";
export * from "./format/numbers.ts";
