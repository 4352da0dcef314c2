import { createTestClock } from "@feather/testing/clock";
import { describe, expect, test } from "vitest";
import { createAccountDelays } from "./account-delays.ts";

const ADA = "ada@example.com";
const LAPTOP = "nonce of a laptop";
const TOO_MANY = expect.objectContaining({ status: 429 });

function setUp(failures: number, enabled = true) {
  const clock = createTestClock("2026-05-01T12:00:00Z");
  const delays = createAccountDelays(clock, enabled);
  for (let index = 0; index < failures; index++) delays.recordFailure(ADA, null);
  return { clock, delays };
}

describe("account delays", () => {
  test("do not start before 20 wrong passwords", () => {
    const { delays } = setUp(19);
    expect(() => delays.check(ADA, null)).not.toThrow();
  });

  test("double with each further wrong password, up to 15 minutes", () => {
    const { clock, delays } = setUp(20);
    const waits: number[] = [];
    for (let index = 0; index < 12; index++) {
      try {
        delays.check(ADA, null);
      } catch (error) {
        waits.push(Number((error as { headers: Record<string, string> }).headers["retry-after"]));
      }
      clock.at += (waits.at(-1) ?? 0) * 1_000;
      expect(() => delays.check(ADA, null)).not.toThrow();
      delays.recordFailure(ADA, null);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test("do not apply to a known device", () => {
    const { delays } = setUp(50);
    expect(() => delays.check(ADA, LAPTOP)).not.toThrow();
    expect(() => delays.check(ADA, null)).toThrow(TOO_MANY);
  });

  test("do not grow by wrong passwords from a known device", () => {
    const { delays } = setUp(19);
    delays.recordFailure(ADA, LAPTOP);
    expect(() => delays.check(ADA, null)).not.toThrow();
  });

  test("apply to a known device for a day after ten wrong passwords in a row", () => {
    const { clock, delays } = setUp(20);
    for (let index = 0; index < 10; index++) {
      expect(() => delays.check(ADA, LAPTOP)).not.toThrow();
      delays.recordFailure(ADA, LAPTOP);
    }
    expect(() => delays.check(ADA, LAPTOP)).toThrow(TOO_MANY);
    clock.at += 23 * 3_600_000;
    for (let index = 0; index < 30; index++) delays.recordFailure(ADA, null);
    expect(() => delays.check(ADA, LAPTOP)).toThrow(TOO_MANY);
    clock.at += 3_600_000;
    for (let index = 0; index < 30; index++) delays.recordFailure(ADA, null);
    expect(() => delays.check(ADA, LAPTOP)).not.toThrow();
  });

  test("count wrong passwords of a locked device like those of unknown devices", () => {
    const { delays } = setUp(0);
    for (let index = 0; index < 29; index++) delays.recordFailure(ADA, LAPTOP);
    expect(() => delays.check(ADA, null)).not.toThrow();
    delays.recordFailure(ADA, LAPTOP);
    expect(() => delays.check(ADA, null)).toThrow(TOO_MANY);
  });

  test("are reset for account and device once the owner signs in", () => {
    const { delays } = setUp(30);
    for (let index = 0; index < 9; index++) delays.recordFailure(ADA, LAPTOP);
    delays.recordSuccess(ADA, LAPTOP);
    expect(() => delays.check(ADA, null)).not.toThrow();
    for (let index = 0; index < 9; index++) delays.recordFailure(ADA, LAPTOP);
    for (let index = 0; index < 30; index++) delays.recordFailure(ADA, null);
    expect(() => delays.check(ADA, LAPTOP)).not.toThrow();
  });

  test("do not apply to other accounts", () => {
    const { delays } = setUp(30);
    expect(() => delays.check("bo@example.com", null)).not.toThrow();
  });

  test("are off when rate limits are off", () => {
    const { delays } = setUp(100, false);
    expect(() => delays.check(ADA, null)).not.toThrow();
  });
});
