import type { Plan } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import {
  clampQuantity,
  formatPeriod,
  formatPrice,
  formatPriceAndPeriod,
  getChangePath,
  getPlanAction,
} from "./plan-labels.ts";

const plan = (over: Partial<Plan>): Plan => ({
  prices: [],
  id: "feather_pro_plus",
  name: "Premium",
  description: "",
  audience: "individual",
  billing_mode: "subscription",
  price_usd_cents: 2500,
  interval: "month",
  unit_based: false,
  min_quantity: 1,
  max_quantity: 1,
  concurrency: 4,
  max_model_size: null,
  max_context_length: 32768,
  model_switches_per_minute: 4,
  priority: "interactive",
  daily_request_limit: null,
  private_models: 0,
  private_cloud: false,
  api_keys_max: 100,
  trial_days: 0,
  features: [],
  is_public: true,
  ...over,
});
const SCALE = plan({
  id: "feather_scale",
  name: "Scale",
  price_usd_cents: 10_000,
  unit_based: true,
  max_quantity: 50,
  concurrency: 8,
  private_models: 5,
});

test.each([
  [plan({}), "$25", "a month"],
  [plan({ price_usd_cents: 2550 }), "$25.50", "a month"],
  [plan({ price_usd_cents: 125_000, interval: "year" }), "$1,250", "a year"],
  [plan({ price_usd_cents: 0 }), "Free", "for ever"],
  [plan({ price_usd_cents: null }), "Talk to us", "by agreement"],
  [plan({ price_usd_cents: 5000, billing_mode: "request_pricing" }), "$50", "of credits, then by the token"],
  [SCALE, "$100", "a month, for each 8 units"],
])("formats price and period of a plan", (subject, amount, per) => {
  expect(formatPrice(subject, "USD")).toBe(amount);
  expect(formatPeriod(subject)).toBe(per);
  expect(formatPriceAndPeriod(subject, "USD")).toBe(subject.price_usd_cents === null ? amount : `${amount} ${per}`);
});

test.each([
  ["the plan one is on", plan({}), "feather_pro_plus", { kind: "current", label: "Your plan" }],
  ["another", plan({}), "feather_lite", { kind: "choose", label: "Choose Premium" }],
  [
    "the free one",
    plan({ id: "feather_lite", name: "Lite", price_usd_cents: 0 }),
    "feather_pro_plus",
    { kind: "free", label: "Change to Lite" },
  ],
  [
    "one that costs nothing and is not the free one",
    plan({ id: "club", name: "Club", price_usd_cents: 0 }),
    "feather_lite",
    { kind: "choose", label: "Choose Club" },
  ],
  [
    "one without a price",
    plan({ id: "x", price_usd_cents: null }),
    "feather_lite",
    { kind: "contact", label: "Ask the operator" },
  ],
] as const)("what can be done with %s", (_, subject, current, action) => {
  expect(getPlanAction(subject, current)).toEqual(action);
});

test("the price of several includes the number of units", () => {
  expect(formatPeriod(SCALE, 3)).toBe("a month, for 24 units");
});

describe("changing to a plan", () => {
  test.each([
    [plan({}), 1, "/subscription/change?plan=feather_pro_plus"],
    [plan({}), 9, "/subscription/change?plan=feather_pro_plus"],
    [SCALE, 1, "/subscription/change?plan=feather_scale"],
    [SCALE, 3, "/subscription/change?plan=feather_scale&quantity=3"],
    [plan({ id: "a&b=c" }), 1, "/subscription/change?plan=a%26b%3Dc"],
  ])("changing to a plan has the right path (case %#)", (subject, quantity, path) =>
    expect(getChangePath(subject, quantity)).toBe(path),
  );

  test.each([
    [0, 1],
    [7.6, 8],
    [99, 50],
    [Number.NaN, 1],
  ])("changing to a plan limits the quantity %s to %s", (requested, quantity) =>
    expect(clampQuantity(SCALE, requested)).toBe(quantity),
  );
});
