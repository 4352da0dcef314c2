import { expect, test } from "vitest";
import { compileMarkdown } from "./compile.ts";
import { isNestedTooDeep } from "./nesting.ts";

test.each([
  ["quotes", "> "],
  ["quotes without spaces", ">"],
  ["lists", "- "],
  ["lists with numbers", "1. "],
  ["quotes and lists", "> * "],
])("a text with %s in too many levels is found, and one with few is not", (_case, mark) => {
  expect(isNestedTooDeep(`Words.\n\n${mark.repeat(101)}x`)).toBe(true);
  expect(isNestedTooDeep(`Words.\n\n${mark.repeat(50)}x`)).toBe(false);
});

test("a long rule, a table and many short lists are no nesting", () => {
  expect(isNestedTooDeep("-".repeat(10_000))).toBe(false);
  expect(isNestedTooDeep(`|${"-|".repeat(200)}`)).toBe(false);
  expect(isNestedTooDeep("- a\n".repeat(10_000))).toBe(false);
});

test("a text that is nested too deep is not compiled", () => {
  expect(() => compileMarkdown(`${"> ".repeat(50_000)}x`)).toThrow("It has quotes or lists in more than 100 levels.");
});
