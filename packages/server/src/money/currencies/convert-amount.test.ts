import { describe, expect, test } from "vitest";
import { convertAmount, toCurrencyRate, USD_RATE } from "./currency-rate.ts";

const EUR = toCurrencyRate("EUR", "0.92");
const JPY = toCurrencyRate("JPY", "155");
const KWD = toCurrencyRate("KWD", "0.307");

describe("an amount in another currency", () => {
  test.each([
    ["dollars in euros", 1000, USD_RATE, EUR, 920],
    ["euros in dollars, rounded", 1000, EUR, USD_RATE, 1087],
    ["dollars in yen, which have no decimals", 1000, USD_RATE, JPY, 1550],
    ["yen in euros, by way of dollars", 155, JPY, EUR, 92],
    ["dollars in dinars, which have three decimals", 1000, USD_RATE, KWD, 3070],
    ["half a unit, away from zero", 1, USD_RATE, toCurrencyRate("EUR", "0.5"), 1],
    ["less than half a unit", 1, USD_RATE, toCurrencyRate("EUR", "0.49"), 0],
    ["nothing", 0, USD_RATE, EUR, 0],
  ])("is the nearest one: %s", (_, amount, from, to, expected) => {
    expect(convertAmount(amount, from, to)).toBe(expected);
  });

  test.each([1, 50, 333, 1_000_000_000])("is as much below zero as above it: %d", (amount) => {
    expect(convertAmount(-amount, USD_RATE, EUR)).toBe(-convertAmount(amount, USD_RATE, EUR));
  });

  test("stays the same in the same currency, also when it is large", () => {
    expect(convertAmount(9_007_199_254_740_991, EUR, EUR)).toBe(9_007_199_254_740_991);
  });
});
