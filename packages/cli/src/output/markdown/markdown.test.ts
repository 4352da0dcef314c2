import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { createStyle } from "../style.ts";
import { type Fence, renderMarkdownLine } from "./markdown.ts";

const tagged = {
  ...createStyle(true, true),
  bold: (text: string) => `<b>${text}</b>`,
  dim: (text: string) => `<d>${text}</d>`,
  accent: (text: string) => `<c>${text}</c>`,
  italic: (text: string) => `<i>${text}</i>`,
};

describe("a line of Markdown", () => {
  test.each([
    ["plain text", "plain text"],
    ["# A title", "<b>A</b> <b>title</b>"],
    ["**strong words** here", "<b>strong</b> <b>words</b> here"],
    ["*weak* and 2*3*4", "<i>weak</i> and 2*3*4"],
    ["call `a b` or ``x`y``", "call <c>a</c> <c>b</c> or <c>x`y</c>"],
    ["- an item with **weight**", "<d>•</d> an item with <b>weight</b>"],
    ["  2. another", "  <d>2.</d> another"],
    ["[docs](https://feather.example/docs)", "docs <d>(https://feather.example/docs)</d>"],
    ["[run](javascript:alert)", "[run](javascript:alert)"],
    ["a ** b ** c", "a ** b ** c"],
    ["**open", "**open"],
  ])("%s", (line, rendered) => {
    expect(renderMarkdownLine(line, null, tagged)).toEqual({ rendered, fence: null });
  });

  test("a line of Markdown stays unchanged inside a code block", () => {
    let fence: Fence = null;
    const shown = ["```ts", "# no *title*", "~~~", "```", "# title"].map((line) => {
      const next = renderMarkdownLine(line, fence, tagged);
      fence = next.fence;
      return next.rendered;
    });
    expect(shown).toEqual([
      "<d>```ts</d>",
      "<c>#</c> <c>no</c> <c>*title*</c>",
      "<c>~~~</c>",
      "<d>```</d>",
      "<b>title</b>",
    ]);
  });

  test("a line of Markdown stays unchanged without colour", () => {
    const line = "- **a** `b`";
    expect(renderMarkdownLine(line, null, createStyle(false, true)).rendered).toBe(line);
  });

  test("a line of Markdown keeps every word in colour", () => {
    const { rendered } = renderMarkdownLine("**one** two `three`", null, createStyle(true, true));
    expect(stripVTControlCharacters(rendered)).toBe("one two three");
  });
});
