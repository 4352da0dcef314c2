import { expect, test } from "vitest";
import { findWorse, measure, type SourceFile } from "./code-figures.ts";

const FILES: readonly SourceFile[] = [
  { path: "packages/server/src/money/billing/index.ts", lines: 100 },
  { path: "packages/server/src/money/billing/refunds/refunds.ts", lines: 50 },
  { path: "packages/server/src/money/billing/refunds.test.ts", lines: 120 },
  { path: "packages/server/src/gateway/index.ts", lines: 40 },
  { path: "packages/server/src/platform/core/db/migrations/1.ts", lines: 1 },
  { path: "packages/server/src/platform/core/db/migrations/2.ts", lines: 1 },
];

test("the figures are those of the largest module, the largest file, the fullest folder and the tests", () => {
  const { atMost, atLeast } = measure(FILES, { server: 3 });
  expect(atMost).toMatchObject({
    "lines of the server's largest module": 150,
    "lines of the largest file": 100,
    "files in the fullest folder of server": 1,
    "runtime dependencies of server": 3,
  });
  expect(atLeast).toMatchObject({
    "test lines per 100 code lines of server": 62,
    "test lines per 100 code lines of sdk": 0,
  });
});

const FIGURES = { atMost: { "a size": 10 }, atLeast: { "a ratio": 50 } };

test.each([
  ["a size that grew", { atMost: { "a size": 11 }, atLeast: { "a ratio": 50 } }, ["a size: 11, before 10"]],
  ["a ratio that shrank", { atMost: { "a size": 10 }, atLeast: { "a ratio": 49 } }, ["a ratio: 49, before 50"]],
  [
    "a figure that nobody has committed",
    { atMost: { "a size": 10, another: 1 }, atLeast: { "a ratio": 50 } },
    ["another: is in only one of the two lists"],
  ],
  ["figures that are the same or better", { atMost: { "a size": 9 }, atLeast: { "a ratio": 51 } }, []],
])("%s is reported only if it is worse", (_what, current, sentences) => {
  expect(findWorse(FIGURES, current)).toEqual(sentences);
});
