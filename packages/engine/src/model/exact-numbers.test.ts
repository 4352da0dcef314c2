import { expect, test } from "vitest";
import { parseExactJson, toPlainNumbers } from "./exact-numbers.ts";

test.each(["1.0", "1e5", "12345678901234567890", "-0.0", '{"a":[1.0,null,"1.0",{"b":2.50}]}', "[1,2.5,true]"])(
  "writes %s as it was read",
  (json) => {
    expect(JSON.stringify(parseExactJson(json))).toBe(json);
  },
);

test("keeps numbers that JavaScript writes in the same way as numbers", () => {
  expect(parseExactJson('{"a": 1, "b": -2.5}')).toEqual({ a: 1, b: -2.5 });
});

test("turns numbers that are kept as text into numbers", () => {
  expect(toPlainNumbers(parseExactJson('{"a": [1.0, "x", null], "b": {"c": 1e2}}'))).toEqual({
    a: [1, "x", null],
    b: { c: 100 },
  });
});

test("throws for text that is not JSON", () => {
  expect(() => parseExactJson("{")).toThrow(SyntaxError);
});
