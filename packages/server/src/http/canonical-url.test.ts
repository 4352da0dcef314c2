import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../testing/contract-walk.ts";
import { createCanonicalUrl } from "./canonical-url.ts";
import { loadContract } from "./contract.ts";

const toCanonicalUrl = createCanonicalUrl(loadContract().modelPaths);

describe("the canonical URL", () => {
  test.each([
    ["/v1/models", "/api/v1/models"],
    ["/v1/chat/completions?x=1", "/api/v1/chat/completions?x=1"],
    ["/v1", "/api/v1"],
    ["/%61pi/auth/me", "/api/auth/me"],
    ["/%76%31/models", "/api/v1/models"],
    ["/api/%761/models", "/api/v1/models"],
    ["/api/feather/%6Dodels/a/b", "/api/feather/models/a%2Fb"],
    ["/v1/models/Qwen/Qwen3-32B", "/api/v1/models/Qwen%2FQwen3-32B"],
    ["/v1/models/Qwen%2FQwen3-32B", "/api/v1/models/Qwen%2FQwen3-32B"],
    ["/v1/models/Qwen%2fQwen3-32B", "/api/v1/models/Qwen%2FQwen3-32B"],
    ["/api/feather/models/a/b", "/api/feather/models/a%2Fb"],
    ["/api/feather/models/a/b/reviews", "/api/feather/models/a%2Fb/reviews"],
    ["/api/feather/models/a%2Fb/reviews/rev_1", "/api/feather/models/a%2Fb/reviews/rev_1"],
    ["/api/feather/models/a/b/reviews/rev_1/helpful?x=/y/z", "/api/feather/models/a%2Fb/reviews/rev_1/helpful?x=/y/z"],
    ["/api/feather/private-models/a/b/unload", "/api/feather/private-models/a%2Fb/unload"],
    ["/api/admin/models/a/b/redeploy", "/api/admin/models/a%2Fb/redeploy"],
    ["/api/admin/base-models/a/b/prices", "/api/admin/base-models/a%2Fb/prices"],
  ])("rewrites %s to its canonical form", (url, expected) => {
    expect(toCanonicalUrl(url)).toBe(expected);
  });

  test.each([
    ["/"],
    ["/models/a/b"],
    ["/v1x/models"],
    ["/api/feather/models?search=%2F.."],
    ["/api/feather/models/a/b/nonsense"],
    ["/api/feather/models/only-one"],
  ])("leaves %s unchanged", (url) => {
    expect(toCanonicalUrl(url)).toBe(url);
  });

  test("knows every path of the contract whose example is a model id", () => {
    const templates = OPERATIONS.filter(({ pathParameters }) =>
      pathParameters.some(({ example }) => String(example).includes("/")),
    ).map(({ path }) => path);
    expect(new Set(templates).size).toBeGreaterThan(10);
    expect(new Set(loadContract().modelPaths.map(({ template }) => template))).toEqual(new Set(templates));
  });

  test("the canonical URL does not change a canonical URL", () => {
    for (const url of ["/v1/models/a/b", "/api/feather/models/a/b/reviews?page=2"])
      expect(toCanonicalUrl(toCanonicalUrl(url))).toBe(toCanonicalUrl(url));
  });

  test.each([
    ["dot segments", "/api/feather/models/../admin/users"],
    ["a dot segment", "/api/./admin/users"],
    ["dot segments at the end", "/v1/models/.."],
    ["encoded dots", "/v1/models/%2e%2e/chat"],
    ["half encoded dots", "/v1/models/.%2E/chat"],
    ["a dot segment between encoded slashes", "/v1/models/a%2F..%2Fb"],
    ["a double encoded slash", "/v1/models/a%252fb"],
    ["double encoded dots", "/v1/models/%252e%252e/x"],
    ["a doubled slash", "/v1//models"],
    ["a doubled slash, half encoded", "/v1/models/a%2F/b"],
    ["an encoded slash after a slash", "/v1/models/%2Fb"],
    ["a backslash", "/v1/models/a\\b"],
    ["an encoded backslash", "/v1/models/a%5Cb"],
    ["NUL", "/v1/models/a%00/b"],
    ["a line break", "/api/api-keys/x%0d%0ay"],
    ["a percent sign alone", "/v1/models/100%"],
    ["bytes that are no UTF-8", "/v1/models/%ff"],
    ["an overlong dot", "/v1/models/%c0%ae%c0%ae/x"],
  ])("rejects %s", (_what, url) => {
    expect(() => toCanonicalUrl(url)).toThrow(expect.objectContaining({ status: 400, code: "invalid_request" }));
  });
});
