import { expect, test } from "vitest";
import { toSafeReturnTo } from "./return-to.ts";

const ORIGIN = "https://feather.example";

test.each(["/oauth/authorize?client_id=app_1&redirect_uri=https://roost.example/cb", "/device?code=WDJB-MJHT"])(
  "%s is allowed, so that a sign-in in between loses nothing",
  (target) => {
    expect(toSafeReturnTo(target, ORIGIN)).toBe(target);
  },
);

test.each(["/models", "/models?search=a#b", "/account/api-keys"])("%s is allowed", (target) => {
  expect(toSafeReturnTo(target, ORIGIN)).toBe(target);
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
])("%j becomes the home page", (target) => {
  expect(toSafeReturnTo(target, ORIGIN)).toBe("/");
});

/** T59: ways to name another host, in the forms that browsers and parsers read differently. */
const HOSTS = ["evil.example", "evil.example:443/a", "feather.example@evil.example", "evil%2eexample", "[::1]"];
const BEFORE = [
  "//",
  "///",
  "/\\",
  "\\/",
  "\\\\",
  "/\t/",
  "\t//",
  "/\n/",
  "/\r\n//",
  " //",
  "/%09/",
  "/%5c",
  "/%2f/",
  "/./\\",
  "/.//",
  "/a/..//",
  "/a/../\\",
  "https:",
  "https:/",
  "https://",
  "HTTPS:///",
  "http:\\\\",
  "javascript://",
  "data:text/html,",
  "@",
  "/\u0000/",
  "/\u200b/",
  "/\u2028//",
];
const OPEN_REDIRECTS = BEFORE.flatMap((before) => HOSTS.map((host) => before + host));

test(`none of ${OPEN_REDIRECTS.length} ways leads off the site`, () => {
  expect(OPEN_REDIRECTS.length).toBeGreaterThanOrEqual(120);
  const escaping = OPEN_REDIRECTS.filter((target) => {
    const to = toSafeReturnTo(target, ORIGIN);
    const url = new URL(to, ORIGIN);
    return !to.startsWith("/") || /^\/[/\\]/.test(to) || url.origin !== ORIGIN;
  });
  expect(escaping).toEqual([]);
});
