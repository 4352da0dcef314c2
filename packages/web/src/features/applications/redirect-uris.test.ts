import { describe, expect, test } from "vitest";
import { parseRedirectUris, validateRedirectUri, validateRedirectUris } from "./redirect-uris.ts";

test.each([
  "https://roost.example/callback",
  "https://roost.example:8443/callback?from=feather",
  "http://localhost/callback",
  "http://127.0.0.1:49152/callback",
  "http://[::1]:1/",
])("accepts the redirect URI %s", (uri) => {
  expect(validateRedirectUri(uri)).toBeNull();
});

test.each([
  ["", /not an address/],
  ["roost.example", /not an address/],
  ["https://exämple.org/", /plain characters/],
  ["https://a.example\\@evil.example", /plain characters/],
  ["http://roost.example/", /must begin with https/],
  ["javascript:alert(1)", /must begin with https/],
  ["myapp://callback", /must begin with https/],
  ["http://localhost:99999/", /not an address|must begin/],
  ["http://localhost.evil.example/", /must begin with https/],
  ["https://roost.example/#x", /fragment/],
  ["https://maria@roost.example/", /user name/],
  ["https://roost.example/?code=1", /a name that the answer needs/],
  [`https://roost.example/${"a".repeat(2000)}`, /longer/],
])("rejects the redirect URI %j", (uri, expectedText) => {
  expect(validateRedirectUri(uri)).toMatch(expectedText);
});

describe("a text of redirect URIs", () => {
  test("a text of redirect URIs is split into lines", () => {
    expect(parseRedirectUris("  https://a.example/ \r\n\n https://b.example/\n")).toEqual([
      "https://a.example/",
      "https://b.example/",
    ]);
  });

  test("a text of redirect URIs gives an error for every invalid line", () => {
    expect(validateRedirectUris("https://a.example/\nnope\nhttp://b.example/")).toEqual([
      "Line 2 is not valid: it is not an address, written with plain characters only.",
      "Line 3 is not valid: it must begin with https://, or be http on localhost, 127.0.0.1 or [::1].",
    ]);
  });

  test("a text of redirect URIs has at least one and at most ten", () => {
    expect(validateRedirectUris(" \n ")).toHaveLength(1);
    expect(validateRedirectUris(Array(11).fill("https://a.example/").join("\n"))).toEqual([
      "Redirect addresses are not valid: 10 at most.",
    ]);
    expect(validateRedirectUris(Array(10).fill("https://a.example/").join("\n"))).toEqual([]);
  });
});
