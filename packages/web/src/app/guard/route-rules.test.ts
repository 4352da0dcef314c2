import { describe, expect, test, vi } from "vitest";
import { createRedirectLimit, MAX_REDIRECTS, toForcedRedirect } from "./route-rules.ts";

const origin = "https://feather.example";
const rule = (redirect_to: string, external = false) => ({ redirect_to, external });

describe("the redirect rules of a path", () => {
  test.each([
    ["no rule", [], null],
    ["one rule", [rule("/account/verify-email")], { to: "/account/verify-email", external: false }],
    ["the first of several rules", [rule("/a"), rule("/b")], { to: "/a", external: false }],
    [
      "a rule that leaves the site",
      [rule("https://docs.example/x", true)],
      { to: "https://docs.example/x", external: true },
    ],
  ])("the redirect rules of a path redirect by %s", (_, rules, forced) => {
    const warn = vi.fn();
    expect(toForcedRedirect(rules, warn, origin)).toEqual(forced);
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([
    rule("//evil.example"),
    rule("https://evil.example"),
    rule("javascript:alert(1)", true),
    rule("data:text/html,x"),
  ])("a redirect to %j is refused", (hostile) => {
    const warn = vi.fn();
    expect(toForcedRedirect([hostile, rule("/b")], warn, origin)).toBeNull();
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

test("stops a redirect loop, and allows redirects again after a while", () => {
  let time = 0;
  const mayRedirect = createRedirectLimit(() => time);
  const answers = Array.from({ length: MAX_REDIRECTS + 1 }, mayRedirect);
  expect(answers).toEqual([...Array<boolean>(MAX_REDIRECTS).fill(true), false]);
  time += 3000;
  expect(mayRedirect()).toBe(true);
});
