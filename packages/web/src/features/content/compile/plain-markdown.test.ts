import { expect, test } from "vitest";
import { toPlainMarkdown } from "./plain-markdown.ts";

const ORIGIN = "https://quill.example";
const convert = (markdown: string) =>
  toPlainMarkdown(
    { title: "Limits", description: "What a plan allows.", markdown },
    { origin: ORIGIN, markdownPaths: new Set(["/docs/models", "/docs/limits"]) },
  );
const bodyOf = (markdown: string) => convert(markdown).split("\n\n").slice(2).join("\n\n").trimEnd();

test("a page as Markdown begins with its title and its description", () => {
  expect(convert("\nText.\n\n")).toBe("# Limits\n\n> What a plan allows.\n\nText.\n");
});

test.each([
  ["a code block", "```bash\ncurl http://localhost:4000/v1\n```", "```bash\ncurl https://quill.example/v1\n```"],
  [
    "code of a list",
    "1. Do:\n\n   ```sh\n   http://localhost:4000\n   ```",
    "1. Do:\n\n   ```sh\n   https://quill.example\n   ```",
  ],
  ["code in a sentence", "At `http://localhost:4000/v1`.", "At `https://quill.example/v1`."],
])("%s of a page as Markdown contains the address of the reader's server", (_what, markdown, expected) => {
  expect(bodyOf(markdown)).toBe(expected);
});

test("literal code of a page as Markdown keeps its address, and does not say that it is literal", () => {
  expect(bodyOf('```yaml title="a.yaml" literal\nurl: http://localhost:4000\n```')).toBe(
    '```yaml title="a.yaml"\nurl: http://localhost:4000\n```',
  );
  expect(bodyOf("```bash literal\nhttp://localhost:4000\n```")).toBe("```bash\nhttp://localhost:4000\n```");
});

test.each([
  ["[a](/docs/models)", "[a](https://quill.example/docs/models.md)"],
  ["[a](/docs/models#one)", "[a](https://quill.example/docs/models.md#one)"],
  ["[`/docs/models`](/docs/models) b", "[`/docs/models`](https://quill.example/docs/models.md) b"],
  ["[a](/docs/api/keys#apiKeys.list)", "[a](https://quill.example/docs/api/keys#apiKeys.list)"],
  [
    "**[a](/pricing)** [b](/docs/limits)",
    "**[a](https://quill.example/pricing)** [b](https://quill.example/docs/limits.md)",
  ],
  ["[a][b]\n\n[b]: /docs/models", "[a][b]\n\n[b]: https://quill.example/docs/models.md"],
  ["[a](https://other.example/x) [b](#here)", "[a](https://other.example/x) [b](#here)"],
])("the links of %j lead somewhere outside the site, too", (markdown, expected) => {
  expect(bodyOf(markdown)).toBe(expected);
});

test("a page as Markdown leaves raw HTML out", () => {
  expect(bodyOf("<!-- Generated. -->\n\nText <b>bold</b>.")).toBe("Text bold.");
});
