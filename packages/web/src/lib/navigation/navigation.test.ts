import { expect, test } from "vitest";
import { checkNavigation, checkPayloadUrl, findDangerousProtocol } from "./navigation.ts";

const origin = "https://feather.example";
const EXTERNAL = "Navigating to an external URL is not allowed by default. Use `navigateTo(url, { external: true })`.";

test.each(["/models", "models", "?x=1", "#top", "https://feather.example/models", "/x?to=https://evil.example"])(
  "%s stays on the site",
  (to) => {
    expect(checkNavigation(to, { origin })).toBe(to);
  },
);

test.each([
  "https://evil.example",
  "//evil.example",
  "\\\\evil.example",
  "/\\evil.example",
  "http://feather.example",
  "https://feather.example.evil.example",
  "mailto:a@b.example",
  "https://[",
])("%s needs the external flag", (to) => {
  expect(() => checkNavigation(to, { origin })).toThrow(EXTERNAL);
  expect(checkNavigation(to, { origin, external: true })).toBe(to);
});

const DANGEROUS = [
  ["javascript:alert(1)", "javascript:"],
  ["JavaScript:alert(1)", "javascript:"],
  ["java\nscript:alert(1)", "javascript:"],
  ["\u0001javascript:alert(1)", "javascript:"],
  [" data:text/html,x", "data:"],
  ["vbscript:x", "vbscript:"],
  ["blob:https://feather.example/x", "blob:"],
  ["file:///etc/passwd", "file:"],
] as const;

test.each(DANGEROUS)("%j is rejected, with and without the flag", (to, protocol) => {
  const words = `Cannot navigate to a URL with '${protocol}' protocol.`;
  expect(() => checkNavigation(to, { origin })).toThrow(words);
  expect(() => checkNavigation(to, { origin, external: true })).toThrow(words);
  expect(findDangerousProtocol(to)).toBe(protocol);
});

test.each(["/models", "https://x.example", "mailto:a@b.example", "", "/javascript:x", "#javascript:x"])(
  "%j has no dangerous protocol",
  (to) => {
    expect(findDangerousProtocol(to)).toBeNull();
  },
);

test("a URL to preload must not name a host", () => {
  for (const url of ["/models/_payload.json", "models", "/x?u=https://y", "?a#b"])
    expect(checkPayloadUrl(url)).toBe(url);
  for (const url of ["https://x/y", "//x/y", "\\\\x", "/\\x", "http:x", "\thttps://x", "//localhost/x", "http://["])
    expect(() => checkPayloadUrl(url)).toThrow("Payload URL must not include hostname");
});
