import { expect, test } from "vitest";
import { calculateCostNano } from "../../gateway/usage/cost.ts";
import { sizeClassOf } from "./price-book.ts";

test("the cost of a request is the sum of its parts, rounded up once", () => {
  const rates = {
    prompt: "0.00000000005",
    completion: "0.0000004",
    image: "0.001",
    audio_second: "0.0001",
    character: "0.000015",
    request: "0.01",
  };
  const nothing = { promptTokens: 0, completionTokens: 0, images: 0, audioMs: 0, characters: 0 };
  expect(calculateCostNano(rates, { ...nothing, promptTokens: 1 })).toBe(10_000_001n);
  expect(calculateCostNano(rates, { ...nothing, promptTokens: 1000, completionTokens: 10, images: 2 })).toBe(
    12_004_050n,
  );
  expect(calculateCostNano(rates, { ...nothing, audioMs: 1_805, characters: 3 })).toBe(10_225_500n);
  expect(calculateCostNano({ ...rates, request: "0", audio_second: "0.000000001" }, { ...nothing, audioMs: 1 })).toBe(
    1n,
  );
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
