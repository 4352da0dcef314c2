import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../core/time.ts";
import { nextDelayMs, parseRetryAfterMs } from "./retry-schedule.ts";

test("adds a tenth of the delay at most, at random", () => {
  expect(nextDelayMs(1, null, 0)).toBe(5_000);
  expect(nextDelayMs(1, null, 1)).toBe(5_500);
});

test("waits as long as the endpoint asks for, up to a day", () => {
  expect(nextDelayMs(1, MINUTE_MS, 0)).toBe(MINUTE_MS);
  expect(nextDelayMs(2, 1_000, 0)).toBe(5 * MINUTE_MS);
  expect(nextDelayMs(1, 30 * DAY_MS, 0)).toBe(DAY_MS);
});

test("plans no attempt after the tenth", () => {
  expect(nextDelayMs(9, null, 0)).toBe(DAY_MS);
  expect(nextDelayMs(10, MINUTE_MS, 0)).toBe(null);
});

test.each([
  [null, null],
  ["120", 120_000],
  ["Fri, 20 Nov 2026 12:01:00 GMT", MINUTE_MS],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
  ["soon", null],
  ["-5", 0],
])("reads Retry-After: %s", (header, expected) => {
  expect(parseRetryAfterMs(header, new Date("2026-11-20T12:00:00Z"))).toBe(expected);
});
