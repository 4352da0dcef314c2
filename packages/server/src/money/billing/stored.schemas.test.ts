import { expect, test } from "vitest";
import { purchaseSchema, topUpSchema, toStoredPurchase, toStoredTopUp } from "./stored.schemas.ts";

const bill = {
  lines: [{ description: "Premium", amount_cents: 2_500 }],
  subtotalCents: 2_500,
  discountCents: 0,
  taxCents: 0,
  totalCents: 2_500,
  carriedCents: 0,
  valueCents: 2_500,
};
const wanted = {
  planId: "feather_pro_plus",
  name: "Premium",
  quantity: 1,
  priceCents: 2_500,
  interval: "month",
  metered: false,
  trialDays: 0,
};
const STORED_PURCHASE = {
  userId: "usr_1",
  subscriptionId: null,
  version: 3,
  wanted,
  bill,
  at: "2026-11-01T00:00:00.000Z",
  anchor: "2026-11-01T00:00:00.000Z",
  periodIndex: 0,
  periodStart: "2026-11-01T00:00:00.000Z",
  periodEnd: "2026-12-01T00:00:00.000Z",
  trialEnd: null,
  coupon: null,
};
const STORED_TOP_UP = { userId: "usr_1", creditCents: 2_500, bill };

test("a stored purchase is read with its selection and draft, and stored again under the same names", () => {
  const purchase = purchaseSchema.parse(STORED_PURCHASE);
  expect(purchase).toMatchObject({ selection: wanted, draft: bill });
  expect(JSON.parse(toStoredPurchase(purchase))).toEqual(STORED_PURCHASE);
});

test("a stored top-up is read with its draft, and stored again under the same names", () => {
  const topUp = topUpSchema.parse(STORED_TOP_UP);
  expect(topUp).toMatchObject({ draft: bill });
  expect(JSON.parse(toStoredTopUp(topUp))).toEqual(STORED_TOP_UP);
});
