import { fc } from "@feather/testing/properties";
import { expect, test } from "vitest";
import { parseForCarrying, rememberNumber, toExactJson, toSendable, toWellFormedJson } from "./exact-json.ts";

const NUMBERS = '{"id":2512292042121000001,"list":[1,0.10,-9007199254740993],"far":1e400,"small":3}';

test("writes numbers that no double holds as they were written", () => {
  expect(toExactJson(JSON.parse(NUMBERS, rememberNumber))).toBe(NUMBERS);
  expect(JSON.stringify(parseForCarrying(NUMBERS))).toBe(NUMBERS);
  expect(JSON.stringify(toSendable(JSON.parse(NUMBERS, rememberNumber)))).toBe(NUMBERS);
});

test("leaves remembered numbers as numbers in the parsed value", () => {
  expect(JSON.parse(NUMBERS, rememberNumber)).toMatchObject({ id: 2512292042121000000, small: 3 });
});

test("replaces half surrogate pairs in texts and names, and copies nothing else", () => {
  const whole = { text: "😀", list: [{ a: "b" }] };
  expect(toSendable(whole)).toBe(whole);
  expect(toSendable({ "\ud83d": ["cut \ud83d", whole] })).toEqual({ "\ufffd": ["cut \ufffd", whole] });
});

test("replaces escaped half surrogate pairs in JSON text", () => {
  expect(toWellFormedJson('{"a":"\\ud83d","b":"\\ud83d\\ude00","c":"\\\\ud83d","d":"\\ude00\\n"}')).toBe(
    '{"a":"\\ufffd","b":"\\ud83d\\ude00","c":"\\\\ud83d","d":"\\ufffd\\n"}',
  );
});

test("JSON text without half surrogate pairs stays as it is, and any other becomes well formed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (any, whole) => {
      expect(toWellFormedJson(JSON.stringify(whole))).toBe(JSON.stringify(whole));
      const parsed: unknown = JSON.parse(toWellFormedJson(JSON.stringify(any)));
      expect(parsed).toBe(any.toWellFormed());
    }),
  );
});
