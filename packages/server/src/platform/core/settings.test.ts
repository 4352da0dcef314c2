import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fromJson, httpUrl, onOff, percent, seconds } from "./settings.ts";
import { startOfHour } from "./time.ts";

describe("the schemas of settings", () => {
  test.each([
    ["on", true],
    ["1", true],
    ["true", true],
    ["off", false],
    ["0", false],
    ["false", false],
  ])("the switch %s is %s", (text, value) => expect(onOff.parse(text)).toBe(value));

  test.each(["", "yes", "ON", " on", "2"])("a switch that is neither on nor off is refused: %j", (text) => {
    expect(onOff.safeParse(text).success).toBe(false);
  });

  test.each([
    ["1", 1],
    ["0.5", 0.5],
    ["86400", 86_400],
  ])("%s is a duration of %d seconds", (text, value) => expect(seconds.parse(text)).toBe(value));

  test.each(["0", "-1", "86401", "", "1s", "Infinity", "NaN"])("a duration cannot be %j", (text) => {
    expect(seconds.safeParse(text).success).toBe(false);
  });

  test.each([
    ["0", true],
    ["100", true],
    ["99.5", true],
    ["100.1", false],
    ["-0.1", false],
    ["half", false],
  ])("whether %s is a percentage: %s", (text, isValid) => expect(percent.safeParse(text).success).toBe(isValid));

  test.each([
    ["http://localhost:9", true],
    ["https://example.com/path", true],
    ["ftp://example.com", false],
    ["javascript:alert(1)", false],
    ["example.com", false],
    ["", false],
  ])("whether %j is an address that the server may call: %s", (text, isValid) => {
    expect(httpUrl.safeParse(text).success).toBe(isValid);
  });

  test("a list is read from JSON of the environment, and from plain data of the file", () => {
    const list = fromJson(z.array(z.string()));
    expect(list.parse('["a","b"]')).toEqual(["a", "b"]);
    expect(list.parse(["a", "b"])).toEqual(["a", "b"]);
  });

  test.each(["[", "a", "", "{}"])("text that is no list is refused by the schema, and does not throw: %j", (text) => {
    expect(fromJson(z.array(z.string())).safeParse(text).success).toBe(false);
  });
});

test.each([
  ["2026-03-01T12:34:56.789Z", "2026-03-01T12:00:00.000Z"],
  ["2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00.000Z"],
  ["1969-12-31T23:59:59.999Z", "1969-12-31T23:00:00.000Z"],
  // Nepal is 5:45 hours ahead: hours are those of UTC.
  ["2026-03-01T18:10:00+05:45", "2026-03-01T12:00:00.000Z"],
])("the hour of %s starts at %s", (time, start) => {
  expect(startOfHour(new Date(time)).toISOString()).toBe(start);
});
