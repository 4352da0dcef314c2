import { expect, test } from "vitest";
import { figuresOf, speedOf } from "./figures.ts";

const figures = { promptTokens: 12, tokens: 100, firstMs: 200, totalMs: 1200 };
const receipt = { units: 2, promptTokens: 12, tokens: 40, estimated: true, cost: null };

test.each([
  [
    { figures, receipt: null },
    { tokens: 100, estimated: false, perSecond: 100, firstMs: 200 },
  ],
  [
    { figures: { ...figures, tokens: null }, receipt },
    { tokens: 40, estimated: true, perSecond: 40 },
  ],
  [
    { figures: { ...figures, tokens: null }, receipt: null },
    { tokens: null, perSecond: null },
  ],
  [
    { figures: { ...figures, firstMs: null }, receipt },
    { perSecond: null, firstMs: null },
  ],
  [
    { figures: { ...figures, tokens: 1 }, receipt },
    { tokens: 1, perSecond: null },
  ],
  [
    { figures: null, receipt: null },
    { tokens: null, perSecond: null },
  ],
  [
    { figures: { ...figures, firstMs: 1_199 }, receipt },
    { tokens: 100, perSecond: null },
  ],
])("computes statistics of %j", (answer, expected) => {
  expect(figuresOf({ text: "Air.", reasoning: "", ...answer })).toMatchObject(expected);
});

test("adds estimated reasoning tokens to the speed when the backend does not count them", () => {
  const thought = { figures: { ...figures, tokens: 4 }, receipt: null, text: "Air.", reasoning: "word ".repeat(200) };
  const { tokens, perSecond, aboutSpeed } = figuresOf(thought);
  expect(tokens).toBe(4);
  expect(perSecond).toBeGreaterThan(100);
  expect(aboutSpeed).toBe(true);
});

test.each([
  [100, { firstAt: 1_000, lastAt: 3_000 }, 50],
  [100, { firstAt: 1_000, lastAt: 1_500 }, null],
  [1, { firstAt: 1_000, lastAt: 3_000 }, null],
  [0, { firstAt: null, lastAt: 3_000 }, null],
])("the speed of %i tokens at %j is %j per second", (tokens, times, perSecond) => {
  expect(speedOf(tokens, times)).toBe(perSecond);
});
