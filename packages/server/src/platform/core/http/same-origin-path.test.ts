import { describe, expect, test } from "vitest";
import { toSameOriginPath } from "./same-origin-path.ts";

const ORIGIN = "https://feather.example";
const EVIL = "evil.example";

const OTHER_SITES = ["https", "http", "HTTPS", "ftp", "ws", "wss"].flatMap((scheme) => [
  `${scheme}://${EVIL}`,
  `${scheme}:${EVIL}`,
  `${scheme}:/${EVIL}`,
  `${scheme}:\\\\${EVIL}`,
]);
const SCRIPTS = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "java\tscript:alert(1)",
  " javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "javascript://%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD4=",
  "vbscript:msgbox(1)",
  "blob:https://evil.example/1",
  "file:///etc/passwd",
  "view-source:https://evil.example",
  "intent://evil.example#Intent;scheme=https;end",
  "about:blank",
  "mailto:a@evil.example",
  "tel:+123",
];
const SLASHES = ["//", "///", "////", "/\\", "\\/", "\\\\", "\\", "/\\/", "//\\", "\\//", "/\\\\"].map(
  (start) => `${start}${EVIL}`,
);
/** Characters that browsers remove from an address or replace by others. */
const SKIPPED = [..."\t\n\r\0\b\f\v\u001b\u001f\u007f\u0085\u2028\u2029"].flatMap((character) => [
  `/${character}/${EVIL}`,
  `${character}//${EVIL}`,
  `/models${character}`,
]);
const NO_PATHS = [
  "",
  " ",
  EVIL,
  `@${EVIL}`,
  `.${EVIL}`,
  "models",
  "./models",
  "../models",
  "?returnTo=/models",
  "#top",
  " /models",
  "\u00a0/models",
  "\ufeff/models",
  "%2f%2fevil.example",
  "%5cevil.example",
  `${ORIGIN}/models`,
  `/..//${EVIL}`,
  `/.//${EVIL}`,
  `/a/..//${EVIL}`,
  `/%2e%2e//${EVIL}`,
  `/%2E//${EVIL}`,
  `/\\..\\${EVIL}`,
];
const FOR_PROGRAMS = [
  "/api",
  "/api/",
  "/API/auth/logout",
  "/api/auth/logout",
  "/models/../api/auth/logout",
  "/./api/auth/me",
  "/%2e/api/auth/me",
  "/api?x=1",
  "/api#x",
  "/v1",
  "/v1/models",
  "/V1/models",
  "/oauth/token",
  "/oauth/token?code=1",
];
const TOO_LONG = [`/${"a".repeat(2000)}`, `/models?${"a=1&".repeat(1000)}`];

const REFUSED = [...OTHER_SITES, ...SCRIPTS, ...SLASHES, ...SKIPPED, ...NO_PATHS, ...FOR_PROGRAMS, ...TOO_LONG];

describe("toSameOriginPath", () => {
  test("toSameOriginPath is tested with at least 120 strings that lead to other sites", () => {
    expect(new Set(REFUSED).size).toBeGreaterThanOrEqual(120);
  });

  test.each(REFUSED.map((text) => [JSON.stringify(text).slice(0, 80), text] as const))(
    "toSameOriginPath rejects %s",
    (_shown, text) => {
      expect(toSameOriginPath(text)).toBeNull();
    },
  );

  test.each([
    ["/", "/"],
    ["/models", "/models"],
    ["/models/owner/name", "/models/owner/name"],
    ["/models?search=a%20b&sort=-downloads#top", "/models?search=a%20b&sort=-downloads#top"],
    ["/apis", "/apis"],
    ["/v10", "/v10"],
    ["/oauth/authorize?client_id=app_1&redirect_uri=https://other.example/cb", null],
    ["/account/../models", "/models"],
    ["/grüße", "/gr%C3%BC%C3%9Fe"],
    [`/models?next=//${EVIL}`, null],
    [`/models#//${EVIL}`, null],
    ["/@evil.example", "/@evil.example"],
    ["/http://evil.example", "/http://evil.example"],
    ["/javascript:alert(1)", "/javascript:alert(1)"],
    ["/%2f/evil.example", "/%2f/evil.example"],
    ["/%5c/evil.example", "/%5c/evil.example"],
  ])("toSameOriginPath accepts %s, which stays on the site", (text, expected) => {
    const path = toSameOriginPath(text);
    expect(path).toBe(expected ?? text);
    expect(new URL(path ?? "", ORIGIN).origin).toBe(ORIGIN);
  });

  test("toSameOriginPath returns null for null", () => {
    expect(toSameOriginPath(null)).toBeNull();
  });
});
