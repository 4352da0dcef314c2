import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { AVAILABLE_CURRENCIES, decimalsOf, stepOf } from "./currency-codes.ts";
import {
  costOfUsdCents,
  fromUsdCents,
  toCurrencyRate,
  toNano,
  toUsdCents,
  toUsdCentsRoundedUp,
  USD_RATE,
  unitsPerUsdOf,
} from "./currency-rate.ts";
import { formatMoney } from "./format-money.ts";

const rates = fc
  .record({
    code: fc.constantFrom("EUR", "JPY", "KWD", "ISK", "LBP"),
    scaled: fc.bigInt({ min: 1n, max: 10n ** 13n }),
  })
  .map(({ code, scaled }) => {
    const digits = String(scaled).padStart(9, "0");
    return toCurrencyRate(code, `${digits.slice(0, -8)}.${digits.slice(-8)}`);
  });

describe("an amount at a rate", () => {
  test("an amount in US dollars is worth exactly itself, also a very large one", () => {
    expect(toNano(1, USD_RATE)).toBe(10_000_000n);
    expect(toNano(-1e12, USD_RATE)).toBe(-10_000_000_000_000_000_000n);
    expect(costOfUsdCents(2500, USD_RATE)).toBe(2500);
    expect(toUsdCents(2500, USD_RATE)).toBe(2500);
  });

  test.each([
    ["EUR", "0.92", 2500, 2300],
    ["JPY", "150.25", 2500, 3757],
    ["KWD", "0.307", 2500, 7680],
    ["ISK", "139", 501, 697],
  ])("25 dollars cost what the rate says, rounded up to what can be charged (%s)", (code, rate, usdCents, cost) => {
    expect(costOfUsdCents(usdCents, toCurrencyRate(code, rate))).toBe(cost);
  });

  test("what dollars cost is worth at least those dollars, in multiples that can be charged", () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 1e9 }), (rate, usdCents) => {
        const cost = costOfUsdCents(usdCents, rate);
        expect(cost % stepOf(rate.currency)).toBe(0);
        expect(fromUsdCents(usdCents, rate) % stepOf(rate.currency)).toBe(0);
        if (!Number.isSafeInteger(cost)) return;
        expect(toNano(cost, rate) >= BigInt(usdCents) * 10_000_000n).toBe(true);
        expect(toUsdCents(cost, rate)).toBeGreaterThanOrEqual(usdCents);
        expect(toUsdCentsRoundedUp(cost, rate)).toBeGreaterThanOrEqual(toUsdCents(cost, rate));
      }),
    );
  });

  test("parts that are posted as differences of sums add up to the whole, in any order of sizes", () => {
    fc.assert(
      fc.property(rates, fc.array(fc.integer({ min: 1, max: 1e9 }), { maxLength: 20 }), (rate, parts) => {
        let sum = 0;
        let posted = 0n;
        for (const part of parts) {
          posted += toNano(sum + part, rate) - toNano(sum, rate);
          sum += part;
        }
        expect(posted).toBe(toNano(sum, rate));
        expect(toNano(-sum, rate)).toBe(-posted);
      }),
    );
  });

  test("a rate is shown as it was written", () => {
    for (const rate of ["0.92", "150", "0.00000001", "100000", "1234.56789012"])
      for (const code of ["EUR", "JPY", "KWD"]) expect(unitsPerUsdOf(toCurrencyRate(code, rate))).toBe(rate);
  });
});

describe("an amount as text", () => {
  test.each([
    [1250, "USD", "$12.50"],
    [-5, "USD", "-$0.05"],
    [123_456, "EUR", "€1234.56"],
    [1500, "JPY", "¥1500"],
    [5120, "KWD", "KWD 5.120"],
    [700, "ISK", "ISK 700"],
    [100, "RSD", "RSD 1.00"],
    [9_007_199_254_740_991, "USD", "$90071992547409.91"],
  ])("%i minor units of %s are %s", (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text);
  });

  test("every currency that can be switched on has a name, and an amount with its decimals", () => {
    expect(AVAILABLE_CURRENCIES.length).toBeGreaterThan(100);
    for (const code of AVAILABLE_CURRENCIES) {
      const [, fraction = ""] = /\.(\d+)/.exec(formatMoney(1, code)) ?? [];
      expect([code, fraction.length]).toEqual([code, decimalsOf(code)]);
    }
  });
});
