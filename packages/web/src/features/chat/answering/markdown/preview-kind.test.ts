import { expect, test } from "vitest";
import { previewKind } from "./preview-kind.ts";

test.each([
  ["mermaid", "graph TD; A-->B", "mermaid"],
  ["HTML", "<p>Hello</p>", "html"],
  ["svg", "<svg></svg>", "svg"],
  ["xml", '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>', "svg"],
  ["xml", "<feed></feed>", null],
  ["xml", "<svgx></svgx>", null],
  ["ts", "<p>Hello</p>", null],
  ["", "<p>Hello</p>", null],
  ["html", " \n", null],
  ["html", "x".repeat(200_001), null],
])("code in the language %j such as %.20j has the preview %j", (language, code, kind) => {
  expect(previewKind(language, code)).toBe(kind);
});
