import { expect, test } from "vitest";
import { normalizeMath } from "./math-delimiters.ts";

test.each([
  ["plain", "plain"],
  ["\\(a+b\\)", "$$a+b$$"],
  ["\\[ a \\]", "$$\na\n$$"],
  ["so \\[ a \\] is", "so \n$$\na\n$$\n is"],
  ["Gauss says\n\n$$\\int x$$\n\nand more", "Gauss says\n\n$$\n\\int x\n$$\n\nand more"],
  ["Gauss says\n$$\\int x\n= y$$", "Gauss says\n$$\n\\int x\n= y\n$$"],
  ["$$\na\n$$", "$$\na\n$$"],
  ["1. Step:\n   $$a$$\n2. Next", "1. Step:\n   $$\n   a\n   $$\n2. Next"],
  ["1. Step:\n   \\[\n   a\n   \\]\n2. Next", "1. Step:\n   $$\n   a\n   $$\n2. Next"],
  ["- $$a$$", "- $$\n  a\n  $$"],
  ["> $$a$$", "> $$\n> a\n> $$"],
  ["in $$a$$ the text", "in $$a$$ the text"],
  ["`code` \\[a\\]", "`code` \n$$\na\n$$"],
  ["$$$$", "$$$$"],
  ["so $x$ is", "so $$x$$ is"],
  ["so $x^2 + 1$ is", "so $$x^2 + 1$$ is"],
  ["from $5 to $10", "from $5 to $10"],
  ["it costs $5 and $6.", "it costs $5 and $6."],
  ["$5$", "$5$"],
  ["US$x$", "US$x$"],
  ["$$a$$", "$$\na\n$$"],
  ["`\\(a\\)` and \\(b\\)", "`\\(a\\)` and $$b$$"],
  ["```\n\\[a\\]\n$x$\n```", "```\n\\[a\\]\n$x$\n```"],
  ["```\n\\[a\\]", "```\n\\[a\\]"],
])("normalizes the formulas of %j", (text, marked) => {
  expect(normalizeMath(text)).toBe(marked);
});

test("handles a long run of opening delimiters quickly", () => {
  const began = performance.now();
  for (const bad of ["$", "\\(", "\\[", "`", "$a", "\n$$", "\n$$a", "- ", "> ", "\n- \\["])
    normalizeMath(bad.repeat(50_000));
  expect(performance.now() - began).toBeLessThan(3_000);
});
