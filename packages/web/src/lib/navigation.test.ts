import { expect, test } from "vitest";
import { checkNavigation, checkPayloadUrl } from "./navigation.ts";

const origin = "https://feather.example";
const EXTERNAL = "Navigating to an external URL is not allowed by default. Use `navigateTo(url, { external: true })`.";

test.each(["/models", "models", "?x=1", "#top", "https://feather.example/models"])("%s stays on the site", (to) => {
  expect(checkNavigation(to, { origin })).toBe(to);
});

test.each(["https://evil.example", "//evil.example", "\\\\evil.example"])("%s needs the external flag", (to) => {
  expect(() => checkNavigation(to, { origin })).toThrow(EXTERNAL);
  expect(checkNavigation(to, { origin, external: true })).toBe(to);
});

test.each([
  ["javascript:alert(1)", "javascript:"],
  ["JavaScript:alert(1)", "javascript:"],
  ["java\nscript:alert(1)", "javascript:"],
  [" data:text/html,x", "data:"],
  ["vbscript:x", "vbscript:"],
])("%j is refused, flag or not", (to, protocol) => {
  expect(() => checkNavigation(to, { origin, external: true })).toThrow(
    `Cannot navigate to a URL with '${protocol}' protocol.`,
  );
});

test("a payload address must not name a host", () => {
  expect(checkPayloadUrl("/models/_payload.json")).toBe("/models/_payload.json");
  for (const url of ["https://x/y", "//x/y", "\\\\x"])
    expect(() => checkPayloadUrl(url)).toThrow("Payload URL must not include hostname");
});
