import { expect, test } from "vitest";
import type { Purchase } from "./marketplace-driver.ts";
import { decidePurchaseStep } from "./purchase-decision.ts";

const plan = { planId: "feather_max", quantity: 1 };
const known = (status: string) => ({ status, ...plan });
const purchase = (state: Purchase["state"]): Purchase => ({
  reference: "r",
  customerId: "c",
  items: [],
  state,
  awaits: null,
  usageId: null,
});

test.each([
  ["pending", "active", { kind: "grant", ...plan }],
  ["active", "active", { kind: "keep" }],
  ["suspended", "active", { kind: "resume" }],
  ["pending", "suspended", { kind: "wait", note: expect.stringContaining("suspended") }],
  ["active", "suspended", { kind: "pause" }],
  ["suspended", "suspended", { kind: "keep" }],
  ["pending", "ended", { kind: "cancel" }],
  ["active", "ended", { kind: "end" }],
  ["suspended", "ended", { kind: "end" }],
  ["pending", "unconfirmed", { kind: "wait", note: expect.stringContaining("not confirmed") }],
  ["active", "unconfirmed", { kind: "keep" }],
] as const)("a purchase that is %s here and %s at the marketplace leads to %j", (status, state, step) => {
  expect(decidePurchaseStep(known(status), purchase(state), plan)).toEqual(step);
});

test.each([
  ["pending", { kind: "wait", note: expect.stringContaining("not confirmed") }],
  ["active", { kind: "end" }],
  ["suspended", { kind: "end" }],
] as const)("a purchase that is %s here and unknown to the marketplace leads to %j", (status, step) => {
  expect(decidePurchaseStep(known(status), null, null)).toEqual(step);
});

test.each(["active", "suspended"])("a purchase that is %s here gives another plan or quantity at once", (status) => {
  for (const other of [
    { planId: "feather_scale", quantity: 1 },
    { planId: "feather_max", quantity: 2 },
  ])
    expect(decidePurchaseStep(known(status), purchase("active"), other)).toEqual({ kind: "grant", ...other });
});

test.each(["pending", "active"])("a purchase that is %s here waits while nobody knows what was bought", (status) => {
  expect(decidePurchaseStep(known(status), purchase("active"), null)).toMatchObject({ kind: "wait" });
});
