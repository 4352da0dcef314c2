import { expect, test } from "vitest";
import { liveTokensPerSecond, toAnswerStats } from "./answer-stats.ts";

const figures = { promptTokens: 12, tokens: 100, firstTokenMs: 200, totalMs: 1200 };
const receipt = { units: 2, promptTokens: 12, tokens: 40, estimated: true, cost: null };

test.each([
  [
    { figures, receipt: null },
    { tokens: 100, estimated: false, tokensPerSecond: 100, firstTokenMs: 200 },
  ],
  [
    { figures: { ...figures, tokens: null }, receipt },
    { tokens: 40, estimated: true, tokensPerSecond: 40 },
  ],
  [
    { figures: { ...figures, tokens: null }, receipt: null },
    { tokens: null, tokensPerSecond: null },
  ],
  [
    { figures: { ...figures, firstTokenMs: null }, receipt },
    { tokensPerSecond: null, firstTokenMs: null },
  ],
  [
    { figures: { ...figures, tokens: 1 }, receipt },
    { tokens: 1, tokensPerSecond: null },
  ],
  [
    { figures: null, receipt: null },
    { tokens: null, tokensPerSecond: null },
  ],
  [
    { figures: { ...figures, firstTokenMs: 1_199 }, receipt },
    { tokens: 100, tokensPerSecond: null },
  ],
])("computes statistics of %j", (answer, expected) => {
  expect(toAnswerStats({ text: "Air.", reasoning: "", ...answer })).toMatchObject(expected);
});

test("adds estimated reasoning tokens to the speed when the backend does not count them", () => {
  const thought = { figures: { ...figures, tokens: 4 }, receipt: null, text: "Air.", reasoning: "word ".repeat(200) };
  const { tokens, tokensPerSecond, isSpeedEstimated } = toAnswerStats(thought);
  expect(tokens).toBe(4);
  expect(tokensPerSecond).toBeGreaterThan(100);
  expect(isSpeedEstimated).toBe(true);
});

test.each([
  [100, { firstTokenAt: 1_000, updatedAt: 3_000 }, 50],
  [100, { firstTokenAt: 1_000, updatedAt: 1_500 }, null],
  [1, { firstTokenAt: 1_000, updatedAt: 3_000 }, null],
  [0, { firstTokenAt: null, updatedAt: 3_000 }, null],
])("the speed of %i tokens at %j is %j per second", (tokens, times, perSecond) => {
  expect(liveTokensPerSecond(tokens, times)).toBe(perSecond);
});
