import { describe, expect, test } from "vitest";
import { onLite, onPremium, premium, scale } from "#/testing/billing.ts";
import { type Expectation, outcomeOf, PATIENCE, readExpectation } from "./expectation.ts";
import type { Subscription } from "./words.ts";

const wanted: Expectation = { plan_id: scale.id, quantity: 2 };
const ending: Expectation = { plan_id: "feather_lite", quantity: 1 };
const is = (change: object) => ({ ...onPremium, ...change }) as unknown as Subscription;

describe("what became of a purchase", () => {
  test.each([
    ["the plan is there", is({ plan: scale, quantity: 2 }), wanted, null, 0, "done"],
    ["as a trial", is({ plan: scale, quantity: 2, status: "trialing" }), wanted, null, 0, "done"],
    [
      "it waits for the next period",
      is({ pending_change: { plan_id: scale.id, quantity: 2 } }),
      wanted,
      null,
      0,
      "done",
    ],
    ["another change waits", is({ pending_change: { plan_id: premium.id, quantity: 1 } }), wanted, null, 0, "pending"],
    ["the quantity is not there yet", is({ plan: scale, quantity: 1 }), wanted, null, 0, "pending"],
    ["nothing changed yet", is({}), wanted, null, 1000, "pending"],
    ["nothing changed for long", is({}), wanted, null, PATIENCE, "unconfirmed"],
    ["it is said to have failed", is({}), wanted, "failed", 0, "failed"],
    ["it is said to have failed, but it is there", is({ plan: scale, quantity: 2 }), wanted, "failed", 0, "done"],
    ["the payment is due", is({ status: "past_due" }), wanted, null, 0, "failed"],
    ["the free plan, canceled", is({ cancel_at_period_end: true }), ending, null, 0, "done"],
    ["the free plan, at once", is({ ...onLite }), ending, null, 0, "done"],
    ["the free plan, not canceled", is({}), ending, null, 0, "pending"],
    ["an unknown state in the address", is({}), wanted, "<b>", 0, "pending"],
  ] as const)("%s", (_, subscription, expected, state, waited, outcome) => {
    expect(outcomeOf(subscription, expected, state, waited)).toBe(outcome);
  });
});

describe("what the address says was bought", () => {
  test.each([
    ["plan=feather_scale&quantity=2", wanted],
    ["plan=feather_lite", ending],
    ["plan=feather_scale&quantity=2&state=pending", wanted],
    ["", null],
    ["state=pending", null],
    ["plan=&quantity=1", null],
    ["plan=feather_scale&quantity=many", null],
  ])("%s", (query, expected) => {
    expect(readExpectation(new URLSearchParams(query))).toEqual(expected);
  });
});
