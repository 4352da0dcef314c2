import type { Coupon, Plan, Subscription } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { lite, liteSubscription, premium, premiumSubscription, scale, springCoupon } from "#/testing/billing.ts";
import {
  countUnits,
  describeNextStep,
  formatCoupon,
  formatDaysLeft,
  formatPlanPrice,
  formatUnits,
  getCouponError,
  getStatusLabel,
  listPlanLimits,
} from "./subscription-labels.ts";

const at = (subscription: object): Subscription =>
  JSON.parse(JSON.stringify(subscription), (name, value) =>
    /_date$/.test(name) && typeof value === "string" ? new Date(value) : value,
  );

test.each([
  [lite, 1, "Free"],
  [premium, 1, "$25.00 a month"],
  [scale, 3, "$300.00 a month"],
  [{ ...premium, interval: "year" }, 1, "$25.00 a year"],
  [{ ...premium, price_usd_cents: null }, 1, null],
])("formats a plan's price", (plan, quantity, expectedText) => {
  expect(formatPlanPrice(plan as Plan, "USD", quantity)).toBe(expectedText);
});

test.each([
  [premium, 1, "4 units"],
  [premium, 9, "4 units"],
  [scale, 3, "24 units"],
  [lite, 1, "1 unit"],
  [{ ...premium, concurrency: null }, 1, "no limit of units"],
])("units are multiplied by the quantity only where a plan is sold by units", (plan, quantity, expectedText) => {
  expect(formatUnits(countUnits(plan as Plan, quantity))).toBe(expectedText);
});

describe("a coupon", () => {
  test.each([
    [{}, "20 % off for 3 months"],
    [{ months: 1 }, "20 % off for 1 month"],
    [{ duration: "once" }, "20 % off one invoice"],
    [{ duration: "forever", percent_off: null, amount_off_cents: 500 }, "$5.00 off every invoice"],
  ])("a coupon with %j reads %s", (change, expectedText) => {
    expect(formatCoupon({ ...springCoupon, ...change } as Coupon)).toBe(expectedText);
  });

  test.each([
    [{ valid: true, reason: null }, null],
    [{ valid: false, reason: "already_used" }, "You used this coupon before."],
    [{ valid: false, reason: null }, "This coupon cannot be used."],
  ])("a coupon with %j has the error %s", (change, expectedText) => {
    expect(getCouponError({ ...springCoupon, ...change } as Coupon)).toBe(expectedText);
  });
});

test.each([
  [premiumSubscription, "active", "It renews on 1 December 2026."],
  [liteSubscription, "active", "It costs nothing and does not end."],
  [{ ...premiumSubscription, current_period_end_date: null }, "active", "It goes on until it is canceled."],
  [{ ...premiumSubscription, status: "past_due" }, "payment due", "It ends when the open invoice stays unpaid."],
  [{ ...premiumSubscription, status: "paused" }, "paused", "It renews on 1 December 2026."],
  [
    { ...premiumSubscription, cancel_at_period_end: true },
    "canceled",
    "It ends on 1 December 2026. Then you are on the free plan.",
  ],
  [
    { ...premiumSubscription, status: "trialing", trial_end_date: "2026-12-01T00:00:00Z" },
    "trial",
    "The trial ends on 1 December 2026. Then it costs $25.00 a month.",
  ],
  [
    { ...premiumSubscription, pending_change: { plan_id: "x", quantity: 1, effective_date: "2026-12-01T00:00:00Z" } },
    "active",
    "It changes on 1 December 2026.",
  ],
])("describes status and next step of a subscription", (subscription, expectedLabel, sentence) => {
  expect([getStatusLabel(at(subscription)).label, describeNextStep(at(subscription))]).toEqual([
    expectedLabel,
    sentence,
  ]);
});

test.each([
  ["2026-12-01T00:00:00Z", "11 days left"],
  ["2026-11-21T12:00:00Z", "1 day left"],
  ["2026-11-20T13:00:00Z", "ends today"],
  ["2026-11-01T00:00:00Z", "ends today"],
])("formats the days until %s as %s", (until, expectedText) => {
  expect(formatDaysLeft(new Date(until), new Date("2026-11-20T13:00:00Z"))).toBe(expectedText);
});

test("lists unlimited values as well", () => {
  expect(Object.fromEntries(listPlanLimits(premium as Plan))).toMatchObject({
    "Largest model": "any",
    "Requests a day": "no limit",
    "Private cloud": "no",
    "Longest context": "32Ki tokens",
  });
});
