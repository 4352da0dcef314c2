import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { formatPath, toSearchParams, toSiteUrl } from "./url.ts";

describe("query parameters", () => {
  test.each<[string, unknown, string]>([
    ["nothing", undefined, ""],
    ["null", null, ""],
    ["fields without a value", { a: null, b: undefined, c: [null, undefined] }, ""],
    ["values that count as false", { a: 0, b: false, c: "" }, "a=0&b=false&c="],
    ["a list", { a: [1, "two", true] }, "a=1&a=two&a=true"],
    ["an empty list", { a: [] }, ""],
    ["dates", { a: new Date(0), b: [new Date(1)] }, "a=1970-01-01T00%3A00%3A00.000Z&b=1970-01-01T00%3A00%3A00.001Z"],
    ["characters that queries reserve", { "a&b": "c=d&e#f?g+h" }, "a%26b=c%3Dd%26e%23f%3Fg%2Bh"],
  ])("of %s are what the server reads", (_what, fields, query) => {
    expect(toSearchParams(fields).toString()).toBe(query);
  });

  test("of a date that is none throw, instead of sending another query", () => {
    expect(() => toSearchParams({ since: new Date(Number.NaN) })).toThrow(RangeError);
  });
});

describe("the address of a site", () => {
  const suffixes = ["", "/", "///", "/api", "/api/", "/v1", "/v1/", "/api/v1", "/api/v1//"];
  test.each(suffixes)("is the same for that with %j at its end", (suffix) => {
    expect(toSiteUrl(`https://feather.example${suffix}`)).toBe("https://feather.example");
    expect(toSiteUrl(`https://example.com/feather${suffix}`)).toBe("https://example.com/feather");
  });

  test.each([
    "https://api",
    "https://v1",
    "https://x.example/apiary",
    "https://x.example/av1",
    "https://x.example/v10",
  ])("that only looks like one of the API stays: %s", (url) => {
    // The two slashes before a host are no path.
    expect(new URL(toSiteUrl(url)).href).toBe(new URL(url).href);
  });
});

describe("a path", () => {
  test("is filled with its parameters, and ignores those that it does not name", () => {
    expect(formatPath("/a/{id}/b/{name}", { id: 7, name: "x", other: "y" })).toBe("/a/7/b/x");
    expect(formatPath("/a", {})).toBe("/a");
  });

  test.each([undefined, null, "", ".", ".."])("with the parameter %j throws", (id) => {
    expect(() => formatPath("/a/{id}", { id })).toThrow(/path parameter id/);
  });

  test("with any text stays the path that was meant, and the text is read again", () => {
    const values = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(values, (id) => {
        const { pathname, search, hash } = new URL(formatPath("/a/{id}/end", { id }), "https://feather.example");
        expect([search, hash]).toEqual(["", ""]);
        const [, first, filled = "", last] = pathname.split("/");
        expect([first, decodeURIComponent(filled), last]).toEqual(["a", id, "end"]);
      }),
    );
  });
});
