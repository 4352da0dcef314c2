import { expect, test } from "vitest";
import {
  describeContext,
  formatBytes,
  formatCompact,
  formatContextLength,
  formatCount,
  formatParameterCount,
  formatPercent,
  formatPercentTick,
  formatRelativeTime,
  formatRoughDuration,
} from "./format.ts";

test("formats numbers in the form of American English, and null as unknown", () => {
  expect([formatCount(5204), formatCompact(1_520_000), formatBytes(4_700_000_000)]).toEqual([
    "5,204",
    "1.5M",
    "4.7 GB",
  ]);
  expect([formatPercent(0.005), formatPercentTick(0.25), formatRoughDuration(180_000)]).toEqual([
    "0.5 %",
    "25 %",
    "3 min",
  ]);
  expect([null, 7.6e9].map(formatParameterCount)).toEqual(["unknown", "7.6B"]);
  expect([null, 131_072].map(formatContextLength)).toEqual(["unknown", "128Ki"]);
});

test("says that a context is unknown instead of naming a number", () => {
  expect([null, 40_960].map(describeContext)).toEqual(["context unknown", "40Ki context"]);
});

test("formats recent times as words and older ones as dates", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(formatRelativeTime(new Date("2026-11-21T11:58:00Z"), now)).toBe("2 minutes ago");
  expect(formatRelativeTime(new Date("2026-11-20T12:00:00Z"), now)).toBe("1 day ago");
  expect(formatRelativeTime(new Date("2026-03-01T12:00:00Z"), now)).toBe("2026-03-01");
  expect(formatRelativeTime(new Date("2026-11-28T12:00:00Z"), now)).toBe("in 7 days");
  expect(formatRelativeTime(new Date("2026-11-28T11:59:59Z"), now)).toBe("in 7 days");
});
