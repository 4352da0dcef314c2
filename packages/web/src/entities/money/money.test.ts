import { describe, expect, test } from "vitest";
import {
  convertUsdCents,
  formatCents,
  formatMoney,
  formatNanoUsd,
  formatPricePerMillion,
  formatSignedNanoUsd,
  formatUsd,
  parseCents,
  parseMoney,
  toTypedMoney,
} from "./money.ts";

test("formats amounts of money in the form of American English", () => {
  expect([formatCents(125_000), formatCents(-310), formatNanoUsd("4999942000")]).toEqual([
    "$1,250.00",
    "-$3.10",
    "$4.999942",
  ]);
  expect([formatUsd("0.002"), formatPricePerMillion("0.0000000125")]).toEqual(["$0.002", "$0.0125"]);
});

test("signed amounts have a plus or a minus", () => {
  expect([formatSignedNanoUsd("5000000000"), formatSignedNanoUsd("-5000000000"), formatSignedNanoUsd("0")]).toEqual([
    "+$5.00",
    "-$5.00",
    "$0.00",
  ]);
});

describe("a typed amount", () => {
  test.each([
    ["25", 2500],
    [" $25.5 ", 2550],
    ["1,000", 100_000],
    ["0.07", 7],
  ])("a typed amount is parsed from %j", (text, cents) => {
    expect(parseCents(text)).toBe(cents);
  });

  test.each(["", "abc", "-5", "1e3", "5.001", "1,00", "5,5", "<b>5</b>", "9999999999"])(
    "a typed amount is rejected for %j",
    (text) => {
      expect(parseCents(text)).toBeNull();
    },
  );
});

test.each([
  [123_450, "EUR", "€1,234.50", "1234.50"],
  [1500, "JPY", "¥1,500", "1500"],
  [5120, "KWD", "KWD\u00a05.120", "5.120"],
])("%i minor units of %s are formatted, typed and read back", (amount, currency, text, typed) => {
  expect(formatMoney(amount, currency)).toBe(text);
  expect(toTypedMoney(amount, currency)).toBe(typed);
  expect(parseMoney(typed, currency)).toBe(amount);
});

test.each([
  ["12.5", "JPY"],
  ["1.234", "EUR"],
  ["-1", "EUR"],
  ["", "EUR"],
])("%j is no amount of %s", (text, currency) => {
  expect(parseMoney(text, currency)).toBeNull();
});

test("dollars cost what the rate says, rounded up to what can be charged", () => {
  const cost = (code: string, units_per_usd: string, decimals: number) =>
    convertUsdCents(2500, { code, units_per_usd, decimals, is_default: false });
  expect([cost("EUR", "0.92", 2), cost("JPY", "150.25", 0), cost("KWD", "0.307", 3)]).toEqual([2300, 3757, 7680]);
});
