import { describe, expect, test } from "vitest";
import {
  formatUtcDateTime,
  optionalInteger,
  optionalText,
  parseList,
  parseNumber,
  parseUtcDateTime,
  requiredInteger,
  requiredText,
  textOrNull,
  utcDateTime,
} from "./field-schemas.ts";

describe("field schemas", () => {
  test.each<[string, boolean]>([
    ["5", true],
    ["1,000", true],
    [" 10 ", true],
    ["0", false],
    ["1001", false],
    ["-1", false],
    ["1.5", false],
    ["", false],
    ["1e3", false],
    ["abc", false],
  ])("field schemas accept an integer from 1 to 1000 only: %j", (text, good) => {
    expect(requiredInteger("Quantity", { min: 1, max: 1000 }).safeParse(text).success).toBe(good);
    expect(optionalInteger("Quantity", { min: 1, max: 1000 }).safeParse(text).success).toBe(good || text === "");
  });

  test("field schemas name the allowed range in the message", () => {
    const { error } = requiredInteger("Quantity", { min: 1, max: 1000 }).safeParse("x");
    expect(error?.issues[0]?.message).toBe("Quantity is not valid: a whole number from 1 to 1,000.");
  });

  test.each<[string, string[]]>([
    ["", ["Reason needs at least 3 characters."]],
    ["  a  ", ["Reason needs at least 3 characters."]],
    ["abc", []],
    ["a".repeat(501), ["Reason may have at most 500 characters."]],
  ])("field schemas limit the length of a text: %#", (text, messages) => {
    const { error } = requiredText("Reason", { min: 3, max: 500 }).safeParse(text);
    expect(error?.issues.map(({ message }) => message) ?? []).toEqual(messages);
  });

  test("field schemas accept an empty value for optional fields", () => {
    expect(optionalText("Text", 3).safeParse("").success).toBe(true);
    expect(optionalText("Text", 3).safeParse("abcd").success).toBe(false);
  });
});

test.each<[string, number | null]>([
  ["", null],
  ["  ", null],
  ["1,234", 1234],
  ["-5", -5],
])("parses the number of %j as %j", (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

test.each<[string, string[]]>([
  ["", []],
  ["a/b\nc/d", ["a/b", "c/d"]],
  ["a/b, c/d,,\n\n a/b ", ["a/b", "c/d"]],
])("splits %j into entries", (text, entries) => {
  expect(parseList(text)).toEqual(entries);
});

test("returns null for a blank text", () => {
  expect([textOrNull("  "), textOrNull(" a ")]).toEqual([null, "a"]);
});

test.each<[string, string | null]>([
  ["2026-11-21T10:05", "2026-11-21T10:05:00.000Z"],
  ["2026-11-21T10:05:30", "2026-11-21T10:05:30.000Z"],
  ["2026-11-21 10:05", "2026-11-21T10:05:00.000Z"],
  ["2026-13-21 10:05", null],
  ["2026-02-30 10:05", null],
  ["2026-11-21 25:05", null],
  ["tomorrow", null],
  ["", null],
])("parses the date and time %j", (text, iso) => {
  expect(parseUtcDateTime(text)?.toISOString() ?? null).toBe(iso);
  expect(utcDateTime("Date").safeParse(text).success).toBe(iso !== null || text === "");
});

test("formats a date for its field", () => {
  expect(formatUtcDateTime(new Date("2026-11-21T10:05:30Z"))).toBe("2026-11-21 10:05");
  expect(formatUtcDateTime(null)).toBe("");
});
