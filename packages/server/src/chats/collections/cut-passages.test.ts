import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { cutPassages } from "./cut-passages.ts";

const textsOf = (text: string, hasPages = false) =>
  cutPassages(text, hasPages).map(({ start, end }) => text.slice(start, end));
const sentence = (index: number) => `Sentence number ${index} tells something about feathers.`;
const sentences = (count: number) => Array.from({ length: count }, (_, index) => sentence(index)).join(" ");

describe("the passages of a text", () => {
  test("a short text is one passage without the spaces around it", () => {
    expect(cutPassages("\n Feathers are light. \n", false)).toEqual([{ page: null, start: 2, end: 21 }]);
  });

  test("an empty text has none", () => {
    expect(cutPassages(" \n ", false)).toEqual([]);
  });

  test("a long text is cut at ends of sentences, and each passage begins within the one before", () => {
    const text = sentences(100);
    const cuts = cutPassages(text, false);
    expect(cuts.length).toBeGreaterThan(4);
    for (const [index, { start, end }] of cuts.entries()) {
      expect(text.slice(start, end)).toMatch(/\.$/);
      const before = cuts[index - 1];
      if (before !== undefined) expect(start < before.end && start > before.start).toBe(true);
    }
  });

  test("a text is cut between paragraphs rather than between sentences", () => {
    const paragraph = sentences(18);
    const [first] = textsOf(`${paragraph}\n\n${sentences(40)}`);
    expect(first).toBe(paragraph);
  });

  test("rows of a table are not parted", () => {
    const rows = Array.from({ length: 200 }, (_, index) => `${index},some product,${index * 3}`);
    for (const passage of textsOf(rows.join("\n"))) expect(rows).toContain(passage.split("\n").at(-1));
  });

  test("texts of wide characters have shorter passages", () => {
    expect(Math.max(...textsOf("東京は日本の首都です。".repeat(200)).map(({ length }) => length))).toBeLessThanOrEqual(
      400,
    );
  });

  test("a text without any boundary is cut all the same, and no character is parted", () => {
    for (const passage of textsOf("🪶".repeat(3_000))) expect(passage.isWellFormed()).toBe(true);
  });

  test("every character that is no space is in a passage, none is longer than 1,200, and they come in order", () => {
    const parts = fc.constantFrom("a", "feather ", "ends. ", "\n", "\n\n", " ", "東京", "🪶", "x".repeat(700));
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 400 }), (list) => {
        const text = list.join("");
        const cuts = cutPassages(text, false);
        let covered = 0;
        for (const { start, end } of cuts) {
          expect(end - start).toBeGreaterThan(0);
          expect(end - start).toBeLessThanOrEqual(1_200);
          expect(text.slice(covered, start).trim()).toBe("");
          expect(end).toBeGreaterThan(covered);
          covered = end;
        }
        expect(text.slice(covered).trim()).toBe("");
      }),
    );
  });
});

describe("the pages of passages", () => {
  const pages = (...texts: string[]) =>
    texts.map((text, index) => `--- page ${index + 1} of ${texts.length} ---\n${text}`).join("\n\n");
  const pagesOf = (text: string, hasPages = true) =>
    cutPassages(text, hasPages).map(({ page, start, end }) => [page, text.slice(start, end)]);

  test("each passage is on one page and does not have the line that begins it", () => {
    expect(pagesOf(pages("One.", "Two.", "", "Four."))).toEqual([
      [1, "One."],
      [2, "Two."],
      [4, "Four."],
    ]);
  });

  test("sheets of a workbook are pages", () => {
    expect(pagesOf("--- sheet 1 of 2: Costs ---\na,1\n\n--- sheet 2 of 2: x --- y ---\nb,2")).toEqual([
      [1, "a,1"],
      [2, "b,2"],
    ]);
  });

  test("a line in a page that looks like another page begins none", () => {
    expect(pagesOf(pages("One.\n--- page 7 of 9 ---\nStill one.", "Two."))).toEqual([
      [1, "One.\n--- page 7 of 9 ---\nStill one."],
      [2, "Two."],
    ]);
  });

  test("texts without pages keep such lines", () => {
    expect(pagesOf("--- page 1 of 1 ---\nText", false)).toEqual([[null, "--- page 1 of 1 ---\nText"]]);
  });
});
