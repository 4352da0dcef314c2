import { expect, test } from "vitest";
import { chooseEngineSize, smallestEngineBytes } from "./engine-size.ts";
import { estimateEngineBytes } from "./memory-budget.ts";

const MODEL = { size: 5e9, contextLength: 8_192, bytesPerToken: 131_072 };
const bytesOf = (contextLength: number, sequences: number) =>
  estimateEngineBytes({ ...MODEL, contextLength }, sequences);

test.each([
  ["all of it with room to spare", Number.POSITIVE_INFINITY, 8_192, 4],
  ["all of it with just enough room", bytesOf(8_192, 4), 8_192, 4],
  ["half of its sequences with less", bytesOf(8_192, 4) - 1, 8_192, 2],
  ["one sequence with less", bytesOf(8_192, 2) - 1, 8_192, 1],
  ["half of its context with less", bytesOf(8_192, 1) - 1, 4_096, 1],
  ["a quarter of its context with less", bytesOf(4_096, 1) - 1, 2_048, 1],
])("a model gets %s", (_room, maxBytes, contextLength, sequences) => {
  const bytes = bytesOf(contextLength, sequences);
  expect(chooseEngineSize(MODEL, maxBytes)).toEqual({ contextLength, sequences, bytes });
});

test("a model whose smallest engine is too large gets none", () => {
  expect(smallestEngineBytes(MODEL)).toBe(bytesOf(2_048, 1));
  expect(chooseEngineSize(MODEL, smallestEngineBytes(MODEL))).toMatchObject({ contextLength: 2_048 });
  expect(chooseEngineSize(MODEL, smallestEngineBytes(MODEL) - 1)).toBeNull();
});

test("a model with a short context keeps all of it", () => {
  const short = { ...MODEL, contextLength: 512 };
  expect(chooseEngineSize(short, smallestEngineBytes(short))).toMatchObject({ contextLength: 512, sequences: 1 });
});

test("a context that is no power of two is never cut below 2,048 tokens", () => {
  const odd = { ...MODEL, contextLength: 5_000 };
  const contexts = [3e10, 6.2e9, 5.6e9].map((maxBytes) => chooseEngineSize(odd, maxBytes)?.contextLength);
  expect(contexts).toEqual([5_000, 5_000, 2_500]);
});
