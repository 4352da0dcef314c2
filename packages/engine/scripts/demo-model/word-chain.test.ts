import { expect, test } from "vitest";
import { STEPS } from "./sentences.ts";
import { buildWordChain, END } from "./word-chain.ts";

test("no text is used for two pieces or equals a taken text", () => {
  const { links } = buildWordChain([["a b", "a c"], ["b a b"]], new Set([" b"]));
  const texts = links.map((link) => link.text);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).not.toContain(" b");
});

test("every walk along the demonstration model's chain goes through all steps and ends", () => {
  const chain = buildWordChain(STEPS, new Set());
  const next = new Map(chain.links.map((link) => [link.text, link.next]));
  const walks = (text: string): string[] =>
    (next.get(text) ?? []).flatMap((following) =>
      following === END ? [text] : walks(following).map((rest) => text + rest),
    );
  const speeches = chain.lineStarts.flatMap(walks);
  expect(speeches).toHaveLength(3 ** STEPS.length);
  expect(new Set(speeches).size).toBe(speeches.length);
  expect(speeches).toContain(STEPS.map(([main]) => main).join(" "));
});
