import { expect, test } from "vitest";
import { parseNanoUsd } from "./amount.ts";

test.each<[string, string | null]>([
  ["5", "5000000000"],
  ["$2.50", "2500000000"],
  ["-1", "-1000000000"],
  ["−1", "-1000000000"],
  ["1,250.5", "1250500000000"],
  ["0.000000001", "1"],
  ["99999999", "99999999000000000"],
  ["0", null],
  ["-0.00", null],
  ["1.0000000001", null],
  ["1e3", null],
  ["five", null],
  ["", null],
])("parses %j dollars as %j nano-USD", (input, nano) => {
  expect(parseNanoUsd(input)).toBe(nano);
});
