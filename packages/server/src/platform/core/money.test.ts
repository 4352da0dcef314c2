import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import {
  centsToNano,
  femtoToNano,
  formatNanoUsd,
  nanoToCents,
  trimDecimal,
  usdPerMillion,
  usdToFemto,
} from "./money.ts";

const FEMTO_PER_USD = 10n ** 15n;
/** A decimal in USD as the database writes it, up to a million USD, with at most 15 places. */
const decimal = fc
  .record({ whole: fc.nat(1_000_000), fraction: fc.stringMatching(/^\d{0,15}$/) })
  .map(({ whole, fraction }) => (fraction === "" ? String(whole) : `${whole}.${fraction}`));

describe("cents and nano-USD", () => {
  test("cents survive the conversion to nano-USD and back", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (cents) => {
        expect(nanoToCents(centsToNano(cents))).toBe(cents);
      }),
    );
  });

  test("a part of a cent does not count as a cent", () => {
    expect([0n, 1n, 9_999_999n, 10_000_000n, 19_999_999n].map(nanoToCents)).toEqual([0, 0, 0, 1, 1]);
  });

  test("a negative number of cents stays negative", () => {
    expect(centsToNano(-5)).toBe(-50_000_000n);
  });

  test("a part of a cent cannot be converted", () => {
    expect(() => centsToNano(0.5)).toThrow(RangeError);
  });
});

describe("decimals in USD", () => {
  test.each([
    [".5", FEMTO_PER_USD / 2n],
    ["999999999999.999999999999999", 999_999_999_999_999_999_999_999_999n],
    // Digits beyond the fifteenth do not count.
    ["0.0000000000000019", 1n],
  ])("%s USD are %s femto-USD", (usd, femto) => expect(usdToFemto(usd)).toBe(femto));

  test("the spelling of a decimal does not change its value", () => {
    fc.assert(
      fc.property(decimal, (usd) => {
        expect(usdToFemto(trimDecimal(usd))).toBe(usdToFemto(usd));
      }),
    );
  });

  test("a larger decimal has more femto-USD", () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [first, second] = [usdToFemto(a), usdToFemto(b)];
        if (Number(a) > Number(b)) expect(first >= second).toBe(true);
      }),
    );
  });
});

describe("femto-USD and nano-USD", () => {
  test("usage is never free, and rounding adds less than a nano-USD", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (femto) => {
        const nano = femtoToNano(femto);
        expect(nano * 1_000_000n >= femto).toBe(true);
        expect(nano * 1_000_000n - femto < 1_000_000n).toBe(true);
      }),
    );
  });
});

describe("amounts for people", () => {
  test("a written amount has all its digits, and at least two places", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (nano) => {
        const text = formatNanoUsd(nano);
        expect(text).toMatch(/^-?\d+\.\d{2,9}$/);
        const [whole = "", fraction = ""] = text.split(".");
        expect(BigInt(whole + fraction.padEnd(9, "0"))).toBe(nano);
      }),
    );
  });
});

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
