import { expect, test } from "vitest";
import { formatPricePerMillion } from "./format-price.ts";

test.each([
  ["0", "$0.00"],
  ["0.0000001", "$0.10"],
  ["0.00000025", "$0.25"],
  ["0.000003", "$3.00"],
  ["0.0000000125", "$0.0125"],
  ["0.0000123456", "$12.3456"],
])("formats %s USD a token as %s a million", (price, expectedText) =>
  expect(formatPricePerMillion(price)).toBe(expectedText),
);
