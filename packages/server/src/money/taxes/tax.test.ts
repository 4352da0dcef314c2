import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { stepOf } from "../currencies/index.ts";
import { taxAt } from "./tax.ts";

describe("a tax at a rate", () => {
  test.each([
    ["20 % of 10.00 dollars", 20, "USD", 1000, 200],
    ["half a cent rounds up", 7.5, "USD", 100, 8],
    ["less than half a cent rounds down", 7.25, "USD", 100, 7],
    ["19 % of 99 yen, which have no smaller unit", 19, "JPY", 99, 19],
    ["20 % of 1.230 dinars, in hundredths since cards cannot be charged thousandths", 20, "KWD", 1230, 250],
    ["no tax at 0 %", 0, "USD", 123_456, 0],
    ["no tax of nothing", 20, "USD", 0, 0],
    ["the largest amount that is charged", 25, "USD", 1_000_000_000, 250_000_000],
  ])("%s", (_, percent, currency, netCents, taxCents) => {
    expect(taxAt(percent, stepOf(currency))(netCents)).toEqual({ taxPercent: percent, taxCents });
  });

  test("is never further from the exact amount than half of what can be charged, and grows with the amount", () => {
    const hundredths = fc.integer({ min: 0, max: 10_000 });
    const cents = fc.integer({ min: 0, max: 1_000_000_000 });
    fc.assert(
      fc.property(hundredths, cents, cents, fc.constantFrom(1, 10), (rate, one, other, step) => {
        const taxOf = taxAt(rate / 100, step);
        const [less, more] = [Math.min(one, other), Math.max(one, other)].map((amount) => taxOf(amount).taxCents);
        expect(less).toBeLessThanOrEqual(more ?? -1);
        expect(Math.abs(taxOf(one).taxCents - (one * rate) / 10_000)).toBeLessThanOrEqual(step / 2);
        expect(taxOf(one).taxCents % step).toBe(0);
      }),
    );
  });
});
