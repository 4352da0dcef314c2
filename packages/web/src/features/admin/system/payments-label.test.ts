import { expect, test } from "vitest";
import { paymentsLabel } from "./payments-label.ts";

test.each([
  ["off", null, "off"],
  ["test", null, "test, no money moves"],
  ["stripe", "pk_live_x", "Stripe, live"],
  ["stripe", "pk_test_x", "Stripe in test mode, no money moves"],
  ["stripe", undefined, "Stripe"],
] as const)("payments %s with the key %s are shown to admins as %s", (state, key, label) => {
  expect(paymentsLabel(state, key)).toBe(label);
});
