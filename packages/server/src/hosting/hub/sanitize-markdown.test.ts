import { parseMarkdown } from "@feather/markdown/parse";
import { fc } from "@feather/testing/properties";
import type { Nodes } from "mdast";
import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import { HOSTILE_TEXTS } from "../../testing/hostile-texts.ts";
import { extractSummary, sanitizeMarkdown } from "./sanitize-markdown.ts";

const BASE = "https://hub.example/acme/model/blob/main/";

/** Returns the parts of a text that a page would run, load, or follow to a place other than the web. */
function dangers(markdown: string | null): string[] {
  const found: string[] = [];
  if (markdown === null) return found;
  const tree = parseMarkdown(markdown);
  visit(tree, (node: Nodes) => {
    if (node.type === "html" || node.type === "image" || node.type === "imageReference") found.push(node.type);
    if ((node.type === "link" || node.type === "definition") && !/^(https?:\/\/|mailto:|#)/.test(node.url))
      found.push(node.url);
  });
  return found;
}

describe("a hostile text", () => {
  test("the list of hostile texts has more than two hundred entries", () =>
    expect(new Set(HOSTILE_TEXTS).size).toBeGreaterThan(200));

  test.each(HOSTILE_TEXTS)("makes a hostile text harmless: %j", (text) => {
    for (const whole of [text, `Before. ${text} After.`, `# Title\n\n${text}\n\nAfter.`, `> ${text}`, `1. ${text}`]) {
      const safe = sanitizeMarkdown(whole, BASE);
      expect([whole, dangers(safe)]).toEqual([whole, []]);
      expect(safe).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    }
  });

  test("makes random combinations of hostile texts harmless", () => {
    const pieces = fc.constantFrom(
      ...["<", ">", "[", "]", "(", ")", "!", "`", "```", "\n", "\n\n", " ", "    ", "*", "_", "#", "-", "|", "~", "\\"],
      ...["javascript:alert(1)", "data:x", "https://a.example/x.png", "<img src=x>", "<script>", "</script>", "<!--"],
      ...["&lt;", "&#60;", '"', "'", "=", "^", "[^1]", "[^1]:", "[x]:", "[x]", "www.a.example", "a@b.example", "text"],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        expect(dangers(sanitizeMarkdown(parts.join(""), BASE))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("ordinary Markdown", () => {
  test.each([
    ["headings and paragraphs", "# Title\n\nA paragraph with **bold**, *soft* and `code`.\n"],
    ["lists", "* one\n* two\n"],
    ["tables", "| a | b |\n| - | - |\n| 1 | 2 |\n"],
    ["code", '```python\nprint("<b>")\n```\n'],
    ["links to the web", "[here](https://example.com/a?b=c#d)\n"],
    ["anchors", "[below](#usage)\n"],
    ["mail", "[write](mailto:a@example.com)\n"],
    ["quotes", "> quoted\n"],
  ])("keeps ordinary Markdown: %s", (_what, text) => expect(sanitizeMarkdown(text, BASE)).toBe(text));

  test.each([
    ["turns images into links", "![A chart](https://example.com/a.png)", "[A chart](https://example.com/a.png)\n"],
    [
      "turns images without a description into links",
      "![](https://example.com/a.png)",
      "[Picture](https://example.com/a.png)\n",
    ],
    ["turns images with another scheme into text", "![A chart](data:image/png;base64,AAAA)", "A chart\n"],
    ["resolves relative links against the base", "[more](docs/a.md)", `[more](${BASE}docs/a.md)\n`],
    ["turns HTML into its text", "<p align=center>Hello <b>you</b></p>", "Hello you\n"],
    [
      "keeps a reference a reference when removed HTML leaves an address behind it",
      "[x]: https://example.com\n\n[x]:<b>a@example.com",
      "[x]: https://example.com/\n\n[x][]:<a@example.com>\n",
    ],
    ["removes hidden HTML", "<style>b{}</style>\n\nText\n", "Text\n"],
    ["turns unsafe links into text", "[click](javascript:alert(1))", "click\n"],
  ])("sanitizing ordinary Markdown %s", (_what, text, expected) => expect(sanitizeMarkdown(text, BASE)).toBe(expected));
});

describe("a text that is expensive to parse", () => {
  test.each([
    ["deep quotes", ">".repeat(50_000)],
    ["deep lists", Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth * 2)}- x`).join("\n")],
    ["open brackets", "[".repeat(60_000)],
    ["open links", "[a](".repeat(15_000)],
    ["stars", "*a ".repeat(20_000)],
    ["backticks", Array.from({ length: 300 }, (_, length) => "`".repeat(length)).join(" ")],
    ["tags", "<a ".repeat(20_000)],
    ["comments", "<!--".repeat(15_000)],
    ["a table", `|${"a|".repeat(20_000)}\n|${"-|".repeat(20_000)}\n`],
    ["entities", "&amp".repeat(15_000)],
    ["emphasis in emphasis", "**a *b ".repeat(9_000)],
    ["strikes", "~a".repeat(30_000)],
    ["as many links as are read", "[a](".repeat(3_000)],
    ["as many stars as are read", "*a ".repeat(8_000)],
    ["as many strikes as are read", "~a".repeat(1_500)],
    ["footnotes", Array.from({ length: 1_400 }, (_, index) => `[^${index}]: x`).join("\n")],
    ["far too much", "word ".repeat(400_000)],
  ])(
    "sanitizes an expensive text within the time limit: %s",
    (_what, text) => {
      const before = process.cpuUsage();
      const safe = sanitizeMarkdown(text, BASE);
      // Processor time is measured, since elapsed time depends on other processes.
      const worked = process.cpuUsage(before).user / 1_000;
      expect(dangers(safe)).toEqual([]);
      expect((safe ?? "").length).toBeLessThanOrEqual(65_536);
      expect(worked).toBeLessThan(5_000);
    },
    60_000,
  );
});

describe("the first sentences", () => {
  test.each([
    [
      "a paragraph",
      "# Title\n\nThis model answers questions. It is small.\n\nMore.",
      "This model answers questions. It is small.",
    ],
    [
      "the first that is one",
      "# T\n\n[badge](https://x.example)\n\nA model for **tests**, and `code`.",
      "A model for tests, and code.",
    ],
    ["nothing", "# Title", ""],
  ])("extracts the summary of a model card from %s", (_what, text, expected) =>
    expect(extractSummary(text)).toBe(expected),
  );

  test("truncates a long summary of a model card", () => {
    const text = extractSummary(`${"A sentence. ".repeat(100)}`);
    expect(text).toHaveLength(300);
    expect(text).toMatch(/…$/);
  });
});
