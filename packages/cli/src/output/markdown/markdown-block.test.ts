import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { createStyle } from "../style.ts";
import { renderMarkdownBlock } from "./markdown-block.ts";
import { createMarkdownPrinter } from "./markdown-printer.ts";

const measure = (text: string) => stripVTControlCharacters(text).length;
const display = (width: number, color = true) => ({ style: createStyle(color, true), width, measure });
const render = (text: string, width = 20, fence: string | null = null) =>
  stripVTControlCharacters(renderMarkdownBlock(text, fence, display(width)));

describe("a block of Markdown on a terminal", () => {
  test("a block of Markdown on a terminal wraps prose between words", () => {
    expect(render("Mostly **trapped air** keeps warm.")).toBe("Mostly trapped air\nkeeps warm.");
  });

  test("a block of Markdown on a terminal never breaks a line of code", () => {
    const code = `const feather = "${"x".repeat(60)}";`;
    expect(render(code, 20, "```")).toBe(code);
    expect(renderMarkdownBlock(code, "```", display(20, false))).toBe(code);
  });

  test("a block of Markdown on a terminal continues an item below its text", () => {
    expect(render("- Mostly trapped air keeps warm.")).toBe("• Mostly trapped\n  air keeps warm.");
  });

  test("a block of Markdown on a terminal draws a bar beside all lines of a quote", () => {
    expect(render("> Mostly trapped air keeps warm.")).toBe("│ Mostly trapped air\n│ keeps warm.");
    expect(render("> > inner")).toBe("│ │ inner");
  });

  test.each(["---", "***", "_ _ _"])(
    "a block of Markdown on a terminal draws %s as a rule as wide as the terminal",
    (line) => {
      expect(render(line)).toBe("─".repeat(20));
    },
  );

  test("a block of Markdown on a terminal aligns the columns of a table", () => {
    const table = "| Bird | Weight |\n| :--- | ---: |\n| `wren` | 9 g |\n| a \\| b | 1.2 kg |";
    expect(render(table, 40)).toBe("Bird   Weight\n─────  ──────\nwren      9 g\na | b  1.2 kg");
  });

  test("a block of Markdown on a terminal wraps the cells of a table that is too wide", () => {
    const table = "| Bird | What it is known for |\n|---|---|\n| wren | loud for its size |";
    expect(render(table, 20)).toBe(
      "Bird  What it is\n      known for\n────  ──────────────\nwren  loud for its\n      size",
    );
  });

  test.each([
    ["lines that are no table", "| a |\n| b |"],
    ["a table that fits nowhere", `|${" a long header |".repeat(9)}\n|${"---|".repeat(9)}`],
  ])("a block of Markdown on a terminal leaves %s as they are", (_, text) => {
    expect(render(text, 20)).toBe(text);
  });

  test("a block of Markdown on a terminal only wraps without colour", () => {
    expect(renderMarkdownBlock("> **a** and\tb", null, display(20, false))).toBe("> **a** and\tb");
    expect(renderMarkdownBlock("one two three", null, display(8, false))).toBe("one two\nthree");
  });
});

/** Prints parts of Markdown, and returns the output after each part. */
function print(parts: readonly string[], width = 20, color = true): readonly string[] {
  let text = "";
  const printer = createMarkdownPrinter(
    (part) => {
      text += part;
    },
    display(width, color),
  );
  const states = parts.map((part) => {
    printer.push(part);
    return stripVTControlCharacters(text);
  });
  printer.end();
  printer.end();
  return [...states, stripVTControlCharacters(text)];
}

describe("Markdown that is streamed to a terminal", () => {
  test("Markdown that is streamed to a terminal shows prose word by word, and wraps it between words", () => {
    expect(print(["Mostly trap", "ped air keeps", " warm."])).toEqual([
      "Mostly",
      "Mostly trapped air",
      "Mostly trapped air\nkeeps",
      "Mostly trapped air\nkeeps warm.\n",
    ]);
  });

  test("Markdown that is streamed to a terminal waits for the end of marks before it shows their words", () => {
    expect(print(["It is **very", " light**, so", " to say."], 80)).toEqual([
      "It is",
      "It is very light,",
      "It is very light, so to",
      "It is very light, so to say.\n",
    ]);
  });

  test("Markdown that is streamed to a terminal shows headings, items and code when their line is complete", () => {
    expect(print(["# A ti", "tle\n- one\n``", "`sh\nls -la --color=always /tmp\n``` \n"])).toEqual([
      "",
      "A title\n• one\n",
      "A title\n• one\n```sh\nls -la --color=always /tmp\n``` \n",
      "A title\n• one\n```sh\nls -la --color=always /tmp\n``` \n",
    ]);
  });

  test("Markdown that is streamed to a terminal shows a table when it is complete", () => {
    expect(print(["| a | b |\n|--", "-|---|\n| 1 | 2 |\n", "Done"])).toEqual([
      "",
      "",
      "a  b\n─  ─\n1  2\n",
      "a  b\n─  ─\n1  2\nDone\n",
    ]);
    expect(print(["| a |\n|---|\n| 1 |"]).at(-1)).toBe("a\n─\n1\n");
  });

  test("Markdown that is streamed to a terminal prints every character once, in whatever parts it comes", () => {
    const text = "2 * 3 is [six](https://a.example) and `1`.\n\n1. one\n2026 was **good**\nlast";
    const whole = print([text], 200).at(-1);
    expect(print([...text], 200).at(-1)).toBe(whole);
    expect(print([...text], 200, false).at(-1)).toBe(`${text}\n`);
  });
});
