import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { calculateCostNano } from "../../gateway/usage/cost.ts";
import { femtoToNano, formatNanoUsd, trimDecimal, usdPerMillion, usdToFemto } from "../../platform/core/money.ts";
import { sizeClassOf } from "./price-book.ts";

describe("amounts", () => {
  test.each([
    [0n, "0.00"],
    [1n, "0.000000001"],
    [5_000_000_000n, "5.00"],
    [1_234_567_000n, "1.234567"],
    [100_000_000n, "0.10"],
    [-2_500_000_000n, "-2.50"],
    [123_456_789_012_345_678_901n, "123456789012.345678901"],
  ])("%s nano-USD are $%s", (nano, usd) => expect(formatNanoUsd(nano)).toBe(usd));

  test.each([
    ["0", 0n],
    ["1", 1_000_000_000_000_000n],
    ["0.0000001", 100_000_000n],
    ["0.000000000000001", 1n],
    ["12.5", 12_500_000_000_000_000n],
  ])("%s USD are converted exactly to %s femto-USD", (usd, femto) => expect(usdToFemto(usd)).toBe(femto));

  test.each([
    ["0.000000100000000", "0.0000001"],
    ["10.000000000000000", "10"],
    ["0.000000000000000", "0"],
    ["100", "100"],
  ])("%s is shown as %s", (stored, shown) => expect(trimDecimal(stored)).toBe(shown));

  test("amounts are converted to a price per million tokens", () => expect(usdPerMillion("0.0000004")).toBe(0.4));

  test.each([
    [0n, 0n],
    [1n, 1n],
    [1_000_000n, 1n],
    [1_000_001n, 2n],
  ])("%s femto-USD are rounded up to %s nano-USD", (femto, nano) => expect(femtoToNano(femto)).toBe(nano));

  test("amounts are unchanged after formatting and parsing", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (nano) => {
        expect(usdToFemto(formatNanoUsd(nano))).toBe(nano * 1_000_000n);
      }),
    );
  });
});

test("the cost of a request is the sum of its parts, rounded up once", () => {
  const rates = { prompt: "0.00000000005", completion: "0.0000004", image: "0.001", request: "0.01" };
  expect(calculateCostNano(rates, { promptTokens: 1, completionTokens: 0, images: 0 })).toBe(10_000_001n);
  expect(calculateCostNano(rates, { promptTokens: 1000, completionTokens: 10, images: 2 })).toBe(12_004_050n);
});

test.each([
  [null, "unknown-size"],
  [0, "up-to-4b"],
  [4_500_000_000, "up-to-4b"],
  [8_000_000_000, "up-to-15b"],
  [32_762_123_264, "up-to-34b"],
  [70_000_000_000, "up-to-80b"],
  [229_000_000_000, "up-to-250b"],
  [1_000_000_000_000, "over-250b"],
])("models of %s parameters have the size %s", (parameters, size) => expect(sizeClassOf(parameters)).toBe(size));
