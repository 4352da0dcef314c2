import type { Subscription } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { liteSubscription, premium, premiumSubscription, scale } from "#/testing/billing.ts";
import {
  CONFIRMATION_TIMEOUT_MS,
  type ExpectedPurchase,
  getPurchaseOutcome,
  parseExpectedPurchase,
} from "./expected-purchase.ts";

const purchase: ExpectedPurchase = { plan_id: scale.id, quantity: 2 };
const expected: ExpectedPurchase = { plan_id: "feather_lite", quantity: 1 };
const is = (change: object) => ({ ...premiumSubscription, ...change }) as unknown as Subscription;

describe("the outcome of a purchase", () => {
  test.each([
    ["the plan is active", is({ plan: scale, quantity: 2 }), purchase, null, 0, "done"],
    ["the plan is active as a trial", is({ plan: scale, quantity: 2, status: "trialing" }), purchase, null, 0, "done"],
    [
      "the change is scheduled for the next period",
      is({ pending_change: { plan_id: scale.id, quantity: 2 } }),
      purchase,
      null,
      0,
      "done",
    ],
    [
      "another change is scheduled",
      is({ pending_change: { plan_id: premium.id, quantity: 1 } }),
      purchase,
      null,
      0,
      "pending",
    ],
    ["the quantity has not changed yet", is({ plan: scale, quantity: 1 }), purchase, null, 0, "pending"],
    ["nothing has changed yet", is({}), purchase, null, 1000, "pending"],
    ["nothing has changed within the time limit", is({}), purchase, null, CONFIRMATION_TIMEOUT_MS, "unconfirmed"],
    ["the address says that it failed", is({}), purchase, "failed", 0, "failed"],
    [
      "the address says that it failed, but the plan is active",
      is({ plan: scale, quantity: 2 }),
      purchase,
      "failed",
      0,
      "done",
    ],
    ["the payment is due", is({ status: "past_due" }), purchase, null, 0, "failed"],
    ["the paid plan is canceled for the free one", is({ cancel_at_period_end: true }), expected, null, 0, "done"],
    ["the plan is the free one, as expected", is({ ...liteSubscription }), expected, null, 0, "done"],
    ["the paid plan is not canceled for the free one yet", is({}), expected, null, 0, "pending"],
    ["the address has an unknown state", is({}), purchase, "<b>", 0, "pending"],
  ] as const)("the outcome of a purchase when %s", (_, subscription, expected, state, waited, outcome) => {
    expect(getPurchaseOutcome(subscription, expected, state, waited)).toBe(outcome);
  });
});

describe("the expected purchase in an address", () => {
  test.each([
    ["plan=feather_scale&quantity=2", purchase],
    ["plan=feather_lite", expected],
    ["plan=feather_scale&quantity=2&state=pending", purchase],
    ["", null],
    ["state=pending", null],
    ["plan=&quantity=1", null],
    ["plan=feather_scale&quantity=many", null],
  ])("the expected purchase in an address is parsed from %j", (query, expected) => {
    expect(parseExpectedPurchase(new URLSearchParams(query))).toEqual(expected);
  });
});
