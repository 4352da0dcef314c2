import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import {
  formatBytes,
  formatCents,
  formatCompact,
  formatCount,
  formatMoney,
  formatNanoUsd,
  formatParameters,
  formatPercent,
  formatPricePerMillion,
  formatRoughDuration,
  formatTokens,
  formatUsd,
} from "./format.ts";

test.each<[(value: number) => string, number, string]>([
  [formatCount, 999, "999"],
  [formatCount, 5204, "5,204"],
  [formatCount, 1_234_567.25, "1,234,567.25"],
  [formatCompact, 999, "999"],
  [formatCompact, 48_310, "48.3K"],
  [formatCompact, 9_120_000, "9.1M"],
  [formatCompact, 2_400_000_000, "2.4B"],
  [formatPercent, 0.624, "62 %"],
  [formatParameters, 500, "500"],
  [formatParameters, 1e6, "1M"],
  [formatParameters, 494e6, "494M"],
  [formatParameters, 999.6e6, "1B"],
  [formatParameters, 7.6e9, "7.6B"],
  [formatParameters, 9.96e9, "10B"],
  [formatParameters, 32_762_123_264, "33B"],
  [formatParameters, 1.05e12, "1.1T"],
  [formatTokens, 512, "512"],
  [formatTokens, 2048, "2Ki"],
  [formatTokens, 5001, "5,001"],
  [formatTokens, 40_960, "40Ki"],
  [formatTokens, 128_000, "128K"],
  [formatTokens, 131_072, "128Ki"],
  [formatTokens, 1_000_000, "1M"],
  [formatTokens, 1_048_576, "1Mi"],
  [formatBytes, 0, "0 B"],
  [formatBytes, 999, "999 B"],
  [formatBytes, 1500, "1.5 kB"],
  [formatBytes, 812_400_000, "812 MB"],
  [formatBytes, 999_960_000, "1.0 GB"],
  [formatBytes, 4_700_000_000, "4.7 GB"],
  [formatBytes, 47_300_000_000, "47.3 GB"],
  [formatBytes, 99_970_000_000, "100 GB"],
  [formatBytes, 2.2e12, "2.2 TB"],
  [formatBytes, 1e18, "1,000 PB"],
  [formatCents, 0, "$0.00"],
  [formatCents, 1, "$0.01"],
  [formatCents, 123_450, "$1,234.50"],
  [formatCents, -5, "-$0.05"],
  [(amount: number) => formatMoney(amount, "EUR"), 123_450, "€1,234.50"],
  [(amount: number) => formatMoney(amount, "JPY"), 1500, "¥1,500"],
  [(amount: number) => formatMoney(amount, "RSD"), 150, "RSD\u00a01.50"],
  [formatRoughDuration, -5, "0 s"],
  [formatRoughDuration, 1, "1 s"],
  [formatRoughDuration, 89_000, "89 s"],
  [formatRoughDuration, 215_000, "4 min"],
  [formatRoughDuration, 5_400_000, "1.5 h"],
  [formatRoughDuration, 7_200_000, "2 h"],
  [formatRoughDuration, 41_000_000, "11 h"],
])("%o of %d returns %j", (format, value, text) => {
  expect(format(value)).toBe(text);
});

test.each([
  ["0", "$0.00"],
  ["5000000000", "$5.00"],
  ["4999942000", "$4.999942"],
  ["-58000", "-$0.000058"],
  ["1", "$0.000000001"],
  ["9007199254740993000000001", "$9,007,199,254,740,993.000000001"],
])("formatNanoUsd keeps every digit of %s", (nano, text) => {
  expect(formatNanoUsd(nano)).toBe(text);
});

test.each([
  ["0", "$0.00"],
  ["0.0000001", "$0.10"],
  ["0.0000000125", "$0.0125"],
  ["0.00001234567", "$12.34567"],
  ["0.000000000000001", "$0.000000001"],
  ["2", "$2,000,000.00"],
])("formatPricePerMillion multiplies the price %s exactly", (price, text) => {
  expect(formatPricePerMillion(price)).toBe(text);
});

test.each([
  ["0.002", "$0.002"],
  ["15", "$15.00"],
  ["0.10", "$0.10"],
])("formatUsd returns %s dollars with at least two decimals", (dollars, text) => {
  expect(formatUsd(dollars)).toBe(text);
});

test("numbers and units are in the language of the locale", () => {
  const texts = [
    formatCount(5204, "de"),
    formatPercent(0.0123, 1, "de"),
    formatParameters(7.6e9, "de"),
    formatTokens(5001, "de"),
    formatBytes(4_700_000_000, "fr"),
    formatNanoUsd("-1234500000000", "de"),
    formatRoughDuration(40_000, "ru"),
  ];
  expect(texts.map((text) => text.replace(/\s/g, " "))).toEqual([
    "5.204",
    "1,2 %",
    "7,6B",
    "5.001",
    "4,7 Go",
    "-1.234,50 $",
    "40 с",
  ]);
});

test.each<[(value: number, locale: string) => string, number]>([
  [formatCount, 5204],
  [formatCompact, 9_120_000],
  [formatParameters, 7.6e9],
  [formatTokens, 5001],
  [formatBytes, 4_700_000_000],
  [formatCents, 123_450],
  [formatRoughDuration, 5_400_000],
])("%o of %d returns the same without a locale as for American English", (format, value) => {
  const withoutLocale: (value: number) => string = format as (value: number) => string;
  expect(withoutLocale(value)).toBe(format(value, "en-US"));
});

test("English outside America has the same symbols of units", () => {
  expect([formatBytes(512, "en-GB"), formatPercent(0.5, 0, "en"), formatRoughDuration(40_000, "en-GB")]).toEqual([
    "512 B",
    "50 %",
    "40 s",
  ]);
});

test("the main entry does not load the functions that format", async () => {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const { metafile } = await build({
    entryPoints: [`${here}index.ts`],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    absWorkingDir: here,
  });
  expect(Object.keys(metafile.inputs)).toContain("client.ts");
  expect(Object.keys(metafile.inputs).filter((path) => path.startsWith("format"))).toEqual([]);
});
