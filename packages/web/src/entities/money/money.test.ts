import { describe, expect, test } from "vitest";
import { formatCents, formatNanoUsd, formatSignedNanoUsd, parseCents } from "./money.ts";

test.each([
  [0, "$0.00"],
  [1, "$0.01"],
  [2500, "$25.00"],
  [125_000, "$1,250.00"],
  [-310, "−$3.10"],
])("formats %d cents as %s", (cents, text) => {
  expect(formatCents(cents)).toBe(text);
});

test.each([
  ["0", "$0.00"],
  ["5000000000", "$5.00"],
  ["-58000", "−$0.000058"],
  ["4999942000", "$4.999942"],
  ["1", "$0.000000001"],
  ["1500000000", "$1.50"],
  ["123456789012345678901234", "$123,456,789,012,345.678901234"],
])("formats %s nano-USD as %s", (nano, text) => {
  expect(formatNanoUsd(nano)).toBe(text);
});

test("signed amounts have a plus or a minus", () => {
  expect([formatSignedNanoUsd("5000000000"), formatSignedNanoUsd("-5000000000"), formatSignedNanoUsd("0")]).toEqual([
    "+$5.00",
    "−$5.00",
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
