import { expect, test } from "vitest";
import { calculateCost, parsePrice, pricePerMillion, pricePerToken } from "./price-math.ts";

test.each([
  ["0.0000001", "0.1"],
  ["0.000001", "1"],
  ["0", "0"],
  ["1", "1000000"],
  ["0.0000000000001", "0.0000001"],
  ["0.0000150", "15"],
  ["2.5", "2500000"],
])("converts %s per token to %s per million tokens", (token, million) => {
  expect(pricePerMillion(token)).toBe(million);
});

test.each<[string, string | null]>([
  ["0.1", "0.0000001"],
  ["$0.10", "0.0000001"],
  ["1", "0.000001"],
  ["0", "0"],
  ["15", "0.000015"],
  ["0.000000001", "0.000000000000001"],
  ["0.0000000001", null],
  ["-1", null],
  ["1e-3", null],
  ["", null],
  ["free", null],
])("converts %j per million tokens to %j per token", (million, token) => {
  expect(pricePerToken(million)).toBe(token);
});

test.each(["0.1", "15", "0.000000001", "123.456"])(
  "converts %s per million tokens to a price per token and back",
  (million) => {
    expect(pricePerMillion(pricePerToken(million) ?? "")).toBe(million);
  },
);

test.each<[string, string | null]>([
  ["0", "0"],
  [" $0.002 ", "0.002"],
  ["1234567", null],
  ["x", null],
])("parses the price %j as %j", (typed, price) => {
  expect(parsePrice(typed)).toBe(price);
});

const rates = {
  prompt: "0.0000001",
  completion: "0.0000004",
  image: "0",
  audio_second: "0",
  character: "0",
  request: "0",
};
test.each([
  ["tokens", rates, 1000, 500, "300000"],
  ["nothing", rates, 0, 0, "0"],
  ["less than can be paid is rounded up", { ...rates, prompt: "0.000000000000001" }, 1, 0, "1"],
  ["the request itself", { ...rates, request: "0.01" }, 0, 0, "10000000"],
])("calculates the cost of %s", (_, given, input, output, nano) => {
  expect(calculateCost(given, { input, output })).toBe(nano);
});
