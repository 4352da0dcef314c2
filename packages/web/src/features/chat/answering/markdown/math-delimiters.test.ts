import { expect, test } from "vitest";
import { normalizeMath } from "./math-delimiters.ts";

test.each([
  ["plain", "plain"],
  ["\\(a+b\\)", "$$a+b$$"],
  ["\\[ a \\]", "\n$$\na\n$$\n"],
  ["so $x$ is", "so $$x$$ is"],
  ["so $x^2 + 1$ is", "so $$x^2 + 1$$ is"],
  ["from $5 to $10", "from $5 to $10"],
  ["it costs $5 and $6.", "it costs $5 and $6."],
  ["$5$", "$5$"],
  ["US$x$", "US$x$"],
  ["$$a$$", "$$a$$"],
  ["`\\(a\\)` and \\(b\\)", "`\\(a\\)` and $$b$$"],
  ["```\n\\[a\\]\n$x$\n```", "```\n\\[a\\]\n$x$\n```"],
  ["```\n\\[a\\]", "```\n\\[a\\]"],
])("normalizes the formulas of %j", (text, marked) => {
  expect(normalizeMath(text)).toBe(marked);
});

test("handles a long run of opening delimiters quickly", () => {
  const began = performance.now();
  for (const bad of ["$", "\\(", "\\[", "`", "$a"]) normalizeMath(bad.repeat(50_000));
  expect(performance.now() - began).toBeLessThan(3_000);
});
