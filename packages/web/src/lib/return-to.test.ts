import { expect, test } from "vitest";
import { safeReturnTo } from "./return-to.ts";

const ORIGIN = "https://feather.example";

test.each(["/oauth/authorize?client_id=app_1&redirect_uri=https://roost.example/cb", "/device?code=WDJB-MJHT"])(
  "%s is kept, so that a sign-in in between loses nothing",
  (wanted) => {
    expect(safeReturnTo(wanted, ORIGIN)).toBe(wanted);
  },
);

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
  "/oauth",
  "/oauth/token?x",
  "/oauth/authorize/x",
  "/oauth/authorized",
  "/login",
  "/login?returnTo=/login",
  "/register",
  "/./api/x",
  "/x/../api/y",
  "/\u0000",
])("%j leads home", (wanted) => {
  expect(safeReturnTo(wanted, ORIGIN)).toBe("/");
});
