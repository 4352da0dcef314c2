import type { Plan, Subscription, SubscriptionPreview } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { business, lite, liteSubscription, premium, premiumSubscription, scale } from "#/testing/billing.ts";
import { isCurrentSelection, listPlansOnSale, parseQuantity, parseSelection } from "./plan-selection.ts";
import { getChangeKind, getConfirmLabel, hasConsistentTotals } from "./preview.ts";

const plans = [lite, premium, scale, business] as Plan[];
const [free, paid] = [
  liteSubscription,
  { ...premiumSubscription, current_period_end_date: new Date("2026-12-01T00:00:00Z") },
] as unknown as Subscription[] as [Subscription, Subscription];
const selection = (plan: unknown, quantity = 1) => ({ plan: plan as Plan, quantity });
const preview = (change: Partial<SubscriptionPreview> = {}): SubscriptionPreview => ({
  currency: "USD",
  lines: [
    { description: "Premium, unused", amount_cents: -1000 },
    { description: "Scale", amount_cents: 10_000 },
  ],
  proration_cents: 9000,
  subtotal_cents: 9000,
  discount_cents: 1000,
  tax_cents: 80,
  total_due_now_cents: 8080,
  next_invoice_cents: 10_000,
  next_invoice_date: null,
  ...change,
});

describe("plans on sale", () => {
  test("plans on sale exclude plans without a price, and the free one for those who have it", () => {
    expect(listPlansOnSale(plans, free).map(({ id }) => id)).toEqual([premium.id, scale.id]);
    expect(listPlansOnSale(plans, paid).map(({ id }) => id)).toEqual([lite.id, premium.id, scale.id]);
  });

  test("plans on sale include a plan that costs nothing but is not the free one", () => {
    const club = { ...premium, id: "club", price_usd_cents: 0 };
    expect(listPlansOnSale([lite, club] as Plan[], free).map(({ id }) => id)).toEqual(["club"]);
  });

  test("plans on sale include the current plan although it is no longer sold", () => {
    const old = { ...paid, plan: { ...paid.plan, id: "old" } };
    expect(listPlansOnSale(plans, old)[0]?.id).toBe("old");
  });
});

test.each([
  ["3", 3],
  [" 7 ", 7],
  ["0", 1],
  ["51", 50],
  ["-1", 1],
  ["1e2", 1],
  ["99999", 1],
  [null, 1],
])("parses the quantity %j as %d", (text, quantity) => {
  expect(parseQuantity(scale as Plan, text)).toBe(quantity);
});

test("a plan that is not sold by units has its minimum quantity", () => {
  expect(parseQuantity(premium as Plan, "9")).toBe(1);
});

test.each([
  ["", premium.id, 1],
  ["plan=feather_scale&quantity=4", scale.id, 4],
  ["plan=nonsense&quantity=x", premium.id, 1],
  ["plan=feather_enterprise", premium.id, 1],
])("parses the address %j as plan %s, quantity %d", (query, id, quantity) => {
  const read = parseSelection(new URLSearchParams(query), listPlansOnSale(plans, paid), paid);
  expect([read?.plan.id, read?.quantity]).toEqual([id, quantity]);
});

test("returns no selection without a plan on sale", () => {
  expect(parseSelection(new URLSearchParams(), [], free)).toBeNull();
});

test("the current plan is the current selection unless a change is scheduled", () => {
  expect(isCurrentSelection(selection(premium), paid)).toBe(true);
  expect(isCurrentSelection(selection(premium), { ...paid, cancel_at_period_end: true })).toBe(false);
  expect(isCurrentSelection(selection(scale), paid)).toBe(false);
  expect(isCurrentSelection(selection(lite), free)).toBe(false);
});

describe("the totals of a preview", () => {
  test.each([
    [{}, true],
    [{ subtotal_cents: 9001 }, false],
    [{ total_due_now_cents: 8081 }, false],
    [{ tax_cents: 0 }, false],
    [{ lines: [] }, false],
    [{ lines: [], subtotal_cents: 0, discount_cents: 0, tax_cents: 0, total_due_now_cents: 0 }, true],
  ])("the totals of a preview with %j are consistent: %s", (change, right) => {
    expect(hasConsistentTotals(preview(change))).toBe(right);
  });

  const nothing = preview({ lines: [], subtotal_cents: 0, discount_cents: 0, tax_cents: 0, total_due_now_cents: 0 });
  const trial = preview({ ...nothing, lines: [{ description: "trial", amount_cents: 0 }] });
  test.each([
    ["end", selection(lite), paid, null, "End Premium on 1 December 2026"],
    ["take back", selection(premium), paid, nothing, "Stay on Premium"],
    [
      "later",
      selection({ ...premium, id: "basic", name: "Basic" }),
      paid,
      nothing,
      "Change to Basic on 1 December 2026",
    ],
    ["trial", selection({ ...premium, trial_days: 7 }), free, trial, "Begin the trial of Premium"],
    ["now", selection(scale, 2), paid, preview(), "Pay $80.80 for Scale"],
    ["now", selection(scale, 2), paid, preview({ total_due_now_cents: 0 }), "Change to Scale"],
  ] as const)("confirmed means %s", (kind, requested, subscription, shown, label) => {
    expect(getChangeKind(requested, subscription, shown)).toBe(kind);
    expect(getConfirmLabel(kind, requested, subscription, shown)).toBe(label);
  });
});
