import { describe, expect, test } from "vitest";
import {
  formatCents,
  formatNanoUsd,
  formatPricePerMillion,
  formatSignedNanoUsd,
  formatUsd,
  parseCents,
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
