import { expect, test } from "vitest";
import { tint } from "./tint.ts";

const marked = (code: string) =>
  tint(code)
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
])("highlights %j", (code, expected) => {
  expect(marked(code)).toBe(expected);
  expect(
    tint(code)
      .map(({ text }) => text)
      .join(""),
  ).toBe(code);
});
