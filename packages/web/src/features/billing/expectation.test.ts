import { describe, expect, test } from "vitest";
import { onLite, onPremium, premium, scale } from "#/testing/billing.ts";
import { type Expectation, outcomeOf, PATIENCE, readExpectation } from "./expectation.ts";
import type { Subscription } from "./words.ts";

const wanted: Expectation = { plan_id: scale.id, quantity: 2 };
const ending: Expectation = { plan_id: "feather_lite", quantity: 1 };
const is = (change: object) => ({ ...onPremium, ...change }) as unknown as Subscription;

describe("the outcome of a purchase", () => {
  test.each([
    ["the plan is active", is({ plan: scale, quantity: 2 }), wanted, null, 0, "done"],
    ["the plan is active as a trial", is({ plan: scale, quantity: 2, status: "trialing" }), wanted, null, 0, "done"],
    [
      "the change is scheduled for the next period",
      is({ pending_change: { plan_id: scale.id, quantity: 2 } }),
      wanted,
      null,
      0,
      "done",
    ],
    [
      "another change is scheduled",
      is({ pending_change: { plan_id: premium.id, quantity: 1 } }),
      wanted,
      null,
      0,
      "pending",
    ],
    ["the quantity has not changed yet", is({ plan: scale, quantity: 1 }), wanted, null, 0, "pending"],
    ["nothing has changed yet", is({}), wanted, null, 1000, "pending"],
    ["nothing has changed within the time limit", is({}), wanted, null, PATIENCE, "unconfirmed"],
    ["the address says that it failed", is({}), wanted, "failed", 0, "failed"],
    [
      "the address says that it failed, but the plan is active",
      is({ plan: scale, quantity: 2 }),
      wanted,
      "failed",
      0,
      "done",
    ],
    ["the payment is due", is({ status: "past_due" }), wanted, null, 0, "failed"],
    ["the paid plan is canceled for the free one", is({ cancel_at_period_end: true }), ending, null, 0, "done"],
    ["the plan is the free one, as expected", is({ ...onLite }), ending, null, 0, "done"],
    ["the paid plan is not canceled for the free one yet", is({}), ending, null, 0, "pending"],
    ["the address has an unknown state", is({}), wanted, "<b>", 0, "pending"],
  ] as const)("when %s", (_, subscription, expected, state, waited, outcome) => {
    expect(outcomeOf(subscription, expected, state, waited)).toBe(outcome);
  });
});

describe("the expected purchase in an address", () => {
  test.each([
    ["plan=feather_scale&quantity=2", wanted],
    ["plan=feather_lite", ending],
    ["plan=feather_scale&quantity=2&state=pending", wanted],
    ["", null],
    ["state=pending", null],
    ["plan=&quantity=1", null],
    ["plan=feather_scale&quantity=many", null],
  ])("is parsed from %j", (query, expected) => {
    expect(readExpectation(new URLSearchParams(query))).toEqual(expected);
  });
});
