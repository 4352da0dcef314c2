import { expect, test } from "vitest";
import { highlightCode } from "./highlight.ts";

test.each([
  ["bash", 'curl -H "a: $KEY" <script>'],
  ["typescript", "const a = `x`; // <b>"],
  ["python", "print(f'{a}')"],
  ["json", '{"a": [1, null]}'],
  ["yaml", "a: [b, 1]"],
  ["nginx", "server { listen 443; }"],
  ["nothing-known", "<script>"],
  ["", "text"],
])("highlighting code in %s keeps it complete", (language, code) => {
  expect(
    highlightCode(code, language)
      .map(({ text }) => text)
      .join(""),
  ).toBe(code);
});

test("tab names are mapped to their languages", () => {
  expect(highlightCode('x = "a"', "Python").some(({ kind }) => kind === "string")).toBe(true);
  expect(highlightCode('echo "a"', "curl").some(({ kind }) => kind === "string")).toBe(true);
});
