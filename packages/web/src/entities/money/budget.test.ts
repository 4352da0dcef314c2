import { expect, test } from "vitest";
import { parseBudget, toDollars } from "./budget.ts";

test.each([
  ["5", "5000000000"],
  ["$2.50", "2500000000"],
  [" 1,250.000000001 ", "1250000000001"],
  ["0.1", "100000000"],
  ["0", "0"],
  ["0.00", "0"],
  ["90071992.547409931", "90071992547409931"],
])("reads the budget %s as %s nano-USD", (text, nano) => {
  expect(parseBudget(text)).toBe(nano);
});

test.each(["-1", "−1", "five", "1e3", "1.0000000001", "5 €", ".5", "1,00", `1${",000".repeat(8)}`])(
  "refuses the budget %s",
  (text) => {
    expect(parseBudget(text)).toBeNull();
  },
);

test.each([
  ["5000000000", "5.00"],
  ["2500000000", "2.50"],
  ["1", "0.000000001"],
  ["0", "0.00"],
  ["90071992547409931", "90,071,992.547409931"],
])("writes %s nano-USD as %s dollars, which are read back exactly", (nano, dollars) => {
  expect(toDollars(nano)).toBe(dollars);
  expect(parseBudget(dollars)).toBe(nano);
});

test("reads back amounts of more than eight digits of dollars", () => {
  expect(parseBudget(toDollars("123456789012345678901234567890"))).toBe("123456789012345678901234567890");
});
