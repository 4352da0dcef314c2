import { expect, test } from "vitest";
import { isPageWithoutSession } from "./page-session.ts";

const NONE = '<meta name="session" content="none">';

test.each([
  ["a page sent without a session", NONE, "navigate", true],
  ["a reloaded page sent without a session", NONE, "reload", true],
  ["a page restored by back or forward, which does not count", NONE, "back_forward", false],
  ["a page sent with a session", "", "navigate", false],
  ["a page of the development server", '<meta name="product-name" content="%PRODUCT_NAME%">', "navigate", false],
])("recognizes %s", (_what, head, way, expected) => {
  const root = new DOMParser().parseFromString(`<html><head>${head}</head></html>`, "text/html");
  expect(isPageWithoutSession(root, way)).toBe(expected);
});
