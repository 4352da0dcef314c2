import { describe, expect, test } from "vitest";
import { addressesOf, addressFaults, faultOf } from "./redirect-uris.ts";

test.each([
  "https://roost.example/callback",
  "https://roost.example:8443/callback?from=feather",
  "http://localhost/callback",
  "http://127.0.0.1:49152/callback",
  "http://[::1]:1/",
])("accepts the redirect URI %s", (uri) => {
  expect(faultOf(uri)).toBeNull();
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
])("rejects the redirect URI %j", (uri, words) => {
  expect(faultOf(uri)).toMatch(words);
});

describe("a text of redirect URIs", () => {
  test("is split into lines", () => {
    expect(addressesOf("  https://a.example/ \r\n\n https://b.example/\n")).toEqual([
      "https://a.example/",
      "https://b.example/",
    ]);
  });

  test("gives an error for every invalid line", () => {
    expect(addressFaults("https://a.example/\nnope\nhttp://b.example/")).toEqual([
      "Line 2 is not valid: it is not an address, written with plain characters only.",
      "Line 3 is not valid: it must begin with https://, or be http on localhost, 127.0.0.1 or [::1].",
    ]);
  });

  test("has at least one and at most ten", () => {
    expect(addressFaults(" \n ")).toHaveLength(1);
    expect(addressFaults(Array(11).fill("https://a.example/").join("\n"))).toEqual([
      "Redirect addresses are not valid: 10 at most.",
    ]);
    expect(addressFaults(Array(10).fill("https://a.example/").join("\n"))).toEqual([]);
  });
});
