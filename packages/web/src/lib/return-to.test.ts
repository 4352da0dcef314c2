import { expect, test } from "vitest";
import { safeReturnTo } from "./return-to.ts";

const ORIGIN = "https://feather.example";

test.each(["/models", "/models?search=a#b", "/account/api-keys"])("%s is kept", (wanted) => {
  expect(safeReturnTo(wanted, ORIGIN)).toBe(wanted);
});

test.each([
  null,
  "",
  "models",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "/\tevil",
  "/a\nb",
  "/a\\b",
  "///evil.example",
  " /models",
  "/api/auth/logout",
  "/oauth/authorize?x",
  "/login",
  "/login?returnTo=/login",
  "/register",
  "/./api/x",
  "/x/../api/y",
  "/\u0000",
])("%j leads home", (wanted) => {
  expect(safeReturnTo(wanted, ORIGIN)).toBe("/");
});
