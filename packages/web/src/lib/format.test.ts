import { expect, test } from "vitest";
import { describeContext, formatContextLength, formatParameterCount, formatRelativeTime } from "./format.ts";

test.each([
  [null, "unknown"],
  [494e6, "494M"],
  [7.6e9, "7.6B"],
  [32.8e9, "33B"],
  [1e12, "1.0T"],
])("formats %s parameters as %s", (value, text) => {
  expect(formatParameterCount(value)).toBe(text);
});

test.each([
  [null, "unknown"],
  [512, "512"],
  [2048, "2K"],
  [40_960, "40K"],
  [131_072, "128K"],
  [1_048_576, "1M"],
])("formats %s tokens as %s", (value, text) => {
  expect(formatContextLength(value)).toBe(text);
});

test("says that a context is unknown instead of naming a number", () => {
  expect([null, 40_960].map(describeContext)).toEqual(["context unknown", "40K context"]);
});

test("formats recent times as words and older ones as dates", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(formatRelativeTime(new Date("2026-11-21T11:58:00Z"), now)).toBe("2 minutes ago");
  expect(formatRelativeTime(new Date("2026-11-20T12:00:00Z"), now)).toBe("yesterday");
  expect(formatRelativeTime(new Date("2026-03-01T12:00:00Z"), now)).toBe("2026-03-01");
  expect(formatRelativeTime(new Date("2026-11-28T12:00:00Z"), now)).toBe("in 7 days");
  expect(formatRelativeTime(new Date("2026-11-28T11:59:59Z"), now)).toBe("in 7 days");
});
