import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStripeServer, type StripeServer } from "../../testing/stripe.ts";

let server: StripeServer;
const START = Date.parse("2026-01-31T10:00:00Z");
beforeAll(async () => {
  server = await createStripeServer();
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

/** Buys a plan of 10 dollars with a coupon. */
async function buyWithCoupon(percentOff: number) {
  server.clock.at = START;
  const { token } = await server.signInAdmin();
  const code = `OFF${String(percentOff).replace(".", "_")}`;
  const coupon = { code, percent_off: percentOff, duration: "forever" };
  const created = await server.call("/api/admin/coupons", { token, body: coupon });
  expect([created.status, created.text]).toEqual([201, created.text]);
  const who = await server.createBuyer();
  const answer = await server.change(who, { plan_id: "feather_basic", coupon_code: code });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return who;
}

test.each([
  [1, 99.9],
  [49, 95.1],
])("a renewal of %i cents keeps the plan, is not charged, and says why on the invoice", async (cents, percentOff) => {
  const who = await buyWithCoupon(percentOff);
  await server.advanceTo("2026-02-28T10:00:00Z");
  expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_basic" }, status: "active" });
  const [renewal] = await server.invoices(who);
  expect(renewal).toMatchObject({ status: "paid", total_cents: 0, tax_cents: 0 });
  expect(renewal?.lines.at(-1)).toEqual({
    description: "Waived: a card can be charged no less than $0.50",
    amount_cents: -cents,
  });
  expect(await server.takenCents(who)).toBe(0);
});

test("a renewal of 50 cents is charged", async () => {
  const who = await buyWithCoupon(95);
  await server.advanceTo("2026-02-28T10:00:00Z");
  expect(await server.takenCents(who)).toBe(100);
});

test("time that was waived is charged by the next change of plan in the same period", async () => {
  const who = await buyWithCoupon(95.2);
  const preview = await server.preview(who, { plan_id: "feather_pro_plus" });
  expect(preview).toMatchObject({ total_due_now_cents: 120, next_invoice_cents: 120 });
});

test("a plan with credits that would cost less than a card can be charged is refused with the smallest amount", async () => {
  server.clock.at = START;
  await server.db
    .updateTable("plans")
    .set({ billing_mode: "request_pricing", price_usd_cents: 49 })
    .where("id", "=", "feather_basic")
    .execute();
  const who = await server.createBuyer();
  const answer = await server.change(who, { plan_id: "feather_basic" });
  expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.amount_too_small"]);
  expect(answer.text).toContain("$0.49 would be charged, and a card can be charged no less than $0.50");
});
