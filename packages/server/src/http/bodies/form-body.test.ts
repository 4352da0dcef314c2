import { expect, test } from "vitest";
import { parseForm } from "./form-body.ts";

const form = (fields: number) => Array.from({ length: fields }, (_, index) => `f${index}=${index}`).join("&");

test("returns the fields of a form by name", () => {
  expect(parseForm("a=1&b=two+words&c=%26")).toEqual({ a: "1", b: "two words", c: "&" });
  expect(Object.keys(parseForm(form(100)))).toHaveLength(100);
  expect(parseForm("")).toEqual({});
});

test("rejects a form with more than 100 fields", () => {
  expect(() => parseForm(form(101))).toThrow(expect.objectContaining({ status: 400 }));
});

test("rejects a field that is sent twice, and names it", () => {
  expect(() => parseForm("a=1&b=2&a=3")).toThrow(expect.objectContaining({ status: 400, param: "a" }));
});

test("treats a field named __proto__ like any other", () => {
  const fields = parseForm("__proto__=x&a=1");
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  expect(Object.keys(fields)).toEqual(["__proto__", "a"]);
});
