import { describe, expect, test } from "vitest";
import { createAccountDelays } from "./account-delays.ts";

const ADA = "ada@example.com";
const HOME = "198.51.100.1";
const elsewhere = (index: number) => `203.0.113.${index}`;

function setUp(failures: number, enabled = true) {
  const clock = { at: Date.parse("2026-05-01T12:00:00Z"), now: () => new Date(clock.at) };
  const delays = createAccountDelays(clock, enabled);
  for (let index = 0; index < failures; index++) delays.failed(ADA);
  return { clock, delays };
}

describe("wrong passwords for one account from many addresses", () => {
  test("cost nothing at first", () => {
    const { delays } = setUp(19);
    expect(() => delays.check(ADA, elsewhere(1))).not.toThrow();
  });

  test("delay the next attempt longer and longer, up to 15 minutes", () => {
    const { clock, delays } = setUp(20);
    const waits: number[] = [];
    for (let index = 0; index < 12; index++) {
      try {
        delays.check(ADA, elsewhere(index));
      } catch (error) {
        waits.push(Number((error as { headers: Record<string, string> }).headers["retry-after"]));
      }
      clock.at += (waits.at(-1) ?? 0) * 1_000;
      expect(() => delays.check(ADA, elsewhere(index))).not.toThrow();
      delays.failed(ADA);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test("do not lock the owner out of the addresses that they sign in from", () => {
    const { delays } = setUp(0);
    delays.succeeded(ADA, HOME);
    for (let index = 0; index < 50; index++) delays.failed(ADA);
    expect(() => delays.check(ADA, HOME)).not.toThrow();
    expect(() => delays.check(ADA, elsewhere(1))).toThrow(expect.objectContaining({ status: 429 }));
  });

  test("are forgotten once the owner signs in, and do not concern other accounts", () => {
    const { delays } = setUp(30);
    expect(() => delays.check("bo@example.com", elsewhere(1))).not.toThrow();
    delays.succeeded(ADA, HOME);
    expect(() => delays.check(ADA, elsewhere(1))).not.toThrow();
  });

  test("are not counted when limits are off", () => {
    const { delays } = setUp(100, false);
    expect(() => delays.check(ADA, elsewhere(1))).not.toThrow();
  });
});
