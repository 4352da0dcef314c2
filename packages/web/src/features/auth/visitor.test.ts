import { expect, test } from "vitest";
import { arrivedAsVisitor } from "./visitor.ts";

const NONE = '<meta name="session" content="none">';

test.each([
  ["a page of the server that says so", NONE, "navigate", true],
  ["one that was loaded anew", NONE, "reload", true],
  ["a page out of the browser's memory", NONE, "back_forward", false],
  ["a page that came with a session", "", "navigate", false],
  ["a page of the development server", '<meta name="product-name" content="%PRODUCT_NAME%">', "navigate", false],
])("%s", (_what, head, way, expected) => {
  const root = new DOMParser().parseFromString(`<html><head>${head}</head></html>`, "text/html");
  expect(arrivedAsVisitor(root, way)).toBe(expected);
});
