import { expect, test } from "vitest";
import { readCookie } from "./cookies.ts";

test.each([
  ["", null],
  ["impersonate_as=usr_1", "usr_1"],
  ["a=1; impersonate_as=usr_1; b=2", "usr_1"],
  ["not_impersonate_as=usr_1", null],
  ["impersonate_as", ""],
  ["impersonate_as=a=b", "a=b"],
  ["impersonate_as=%41", "A"],
  ["impersonate_as=%", "%"],
])("reads from %j the value %j", (jar, value) => {
  expect(readCookie("impersonate_as", () => jar)).toBe(value);
});

test("returns null if cookies are not accessible", () => {
  const off = () => {
    throw new DOMException("denied", "SecurityError");
  };
  expect(readCookie("impersonate_as", off)).toBeNull();
});
