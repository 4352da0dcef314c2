import type { ReferralSummary } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { canSetReferrer, countFriendsByStatus, describeTerms, formatMissingAmount } from "./terms.ts";

const summary = (change: Partial<ReferralSummary> = {}): ReferralSummary => ({
  method: "credits",
  referred: false,
  referred_count: 3,
  paying_count: 1,
  earned_nano_usd: "5000000000",
  held_nano_usd: "0",
  available_nano_usd: "0",
  paid_out_nano_usd: "0",
  percent: null,
  amount_nano_usd: "5000000000",
  ...change,
});

test.each([
  [{}, "When a friend makes a first payment, you get $5.00 of credits, and so do they."],
  [
    { method: "commission", percent: 20, amount_nano_usd: null },
    "You earn 20 % of what friends pay in their first twelve months.",
  ],
] as const)("terms with %j", (change, expectedText) => {
  expect(describeTerms(summary(change))).toBe(expectedText);
});

test.each([
  ["0", "$50.00"],
  ["12345678901", "$37.654321099"],
  ["49999999999", "$0.000000001"],
  ["50000000000", null],
  ["90000000000", null],
])("with %s available, %s is missing for a payout", (available_nano_usd, expectedText) => {
  expect(formatMissingAmount(summary({ available_nano_usd }))).toBe(expectedText);
});

describe("entering the referrer", () => {
  const now = new Date("2026-11-21T00:00:00Z");
  test.each([
    [new Date("2026-11-20T00:00:00Z"), true],
    [new Date("2026-10-23T00:00:00Z"), true],
    [new Date("2026-10-22T00:00:00Z"), false],
    [undefined, false],
  ])("entering the referrer is allowed for a user who signed up at %s: %s", (signedUp, may) => {
    expect(canSetReferrer(signedUp, now)).toBe(may);
  });
});

test("referred users are counted by status", () => {
  expect(countFriendsByStatus(summary()).map(({ label, count }) => [label, count])).toEqual([
    ["signed up", 2],
    ["paid", 1],
  ]);
});
