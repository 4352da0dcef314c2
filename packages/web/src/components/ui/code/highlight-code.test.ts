import { expect, test } from "vitest";
import { highlightCode } from "./highlight-code.ts";

const marked = (code: string) =>
  highlightCode(code)
    .map(({ text, kind }) => (kind === "string" ? `«${text}»` : kind === "comment" ? `‹${text}›` : text))
    .join("");

test.each([
  ['-H "a: $KEY" \\', '-H «"a: $KEY"» \\'],
  ['{"a": "b\\"c"}', '{«"a"»: «"b\\"c"»}'],
  ["curl http://localhost:4000/v1 # all", "curl http://localhost:4000/v1 ‹# all›"],
  ['x = "https://a" // why\ny', 'x = «"https://a"» ‹// why›\ny'],
  ["#!/bin/sh", "#!/bin/sh"],
  ['an open " quote\nends with its line', 'an open " quote\nends with its line'],
  ["", ""],
])("code is highlighted: %j", (code, expected) => {
  expect(marked(code)).toBe(expected);
  expect(
    highlightCode(code)
      .map(({ text }) => text)
      .join(""),
  ).toBe(code);
});
