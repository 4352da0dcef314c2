import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-01-31T10:00:00Z");
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

const START = Date.parse("2026-01-31T10:00:00Z");
async function onPlan(plan_id: string, quantity?: number) {
  server.clock.at = START;
  const who = await server.createBuyer();
  const answer = await server.change(who, { plan_id, quantity });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return who;
}

describe("buying a plan", () => {
  test("buying a plan charges its price for a month from now, marked as a test", async () => {
    const who = await onPlan("feather_pro_plus");
    expect(await server.subscription(who)).toMatchObject({
      status: "active",
      plan: { id: "feather_pro_plus" },
      quantity: 1,
      current_period_start_date: "2026-01-31T10:00:00.000Z",
      current_period_end_date: "2026-02-28T10:00:00.000Z",
      cancel_at_period_end: false,
      pending_change: null,
    });
    expect(await server.chargedCents(who)).toBe(2500);
    expect(await server.invoices(who)).toMatchObject([
      {
        status: "paid",
        lines: [{ description: "Premium, 31 Jan 2026 to 28 Feb 2026", amount_cents: 2500 }],
        total_cents: 2500,
        is_test: true,
      },
    ]);
    expect((await server.listMails(who.email)).map(({ kind }) => kind)).toContain("receipt");
  });

  test("buying a plan takes effect in the gateway at once", async () => {
    const who = await server.createBuyer();
    const before = await server.read(who, "/v1/plan");
    expect(before).toMatchObject({ id: "feather_lite" });
    await server.change(who, { plan_id: "feather_pro_plus" });
    expect((await server.api.plans.currentPlan(who.organizationId)).plan.id).toBe("feather_pro_plus");
  });

  test.each([
    ["a plan that is not there", { plan_id: "none" }, 404, "plans.not_found"],
    ["a plan without a price", { plan_id: "feather_enterprise" }, 409, "plans.contact_us"],
    ["more than there may be", { plan_id: "feather_scale", quantity: 51 }, 400, "subscription.quantity"],
    ["two of what is sold once", { plan_id: "feather_basic", quantity: 2 }, 400, "subscription.quantity"],
    ["the free plan without another", { plan_id: "feather_lite" }, 409, "subscription.unchanged"],
    ["a strange coupon", { plan_id: "feather_basic", coupon_code: "NONE" }, 404, "coupons.not_found"],
    ["a strange setup intent", { plan_id: "feather_basic", setup_intent: "seti_x" }, 402, "payment_methods.required"],
    ["no plan", {}, 400, "invalid_request"],
    ["a quantity that is none", { plan_id: "feather_scale", quantity: 0 }, 400, "invalid_request"],
  ])("buying a plan rejects %s, and changes nothing", async (_what, body, status, code) => {
    const who = await server.createBuyer();
    const answer = await server.change(who, body);
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
    expect(await server.subscription(who)).toMatchObject({ id: null, plan: { id: "feather_lite" } });
    expect(await server.chargedCents(who)).toBe(0);
    expect(await server.invoices(who)).toEqual([]);
  });

  test("buying a plan requires a card", async () => {
    const who = await server.createBuyer(null);
    const answer = await server.change(who, { plan_id: "feather_basic" });
    expect([answer.status, errorCode(answer.body)]).toEqual([402, "payment_methods.required"]);
    expect(answer.headers.get("x-should-retry")).toBe("false");
  });

  test("buying a plan requires the permission to manage billing", async () => {
    const who = await server.createBuyer();
    await server.db.updateTable("memberships").set({ role: "editor" }).where("user_id", "=", who.userId).execute();
    server.api.identity.invalidateApiKeys();
    const answer = await server.change(who, { plan_id: "feather_basic" });
    expect([answer.status, errorCode(answer.body)]).toEqual([403, "organization_permission_denied"]);
  });
});

describe("a change to a plan that costs as much or more", () => {
  test("a change to a plan that costs as much or more takes effect at once, charges the rest of the period and credits what was paid", async () => {
    const who = await onPlan("feather_basic");
    server.clock.at = START + 14 * DAY_MS; // half of 28 days
    const preview = await server.preview(who, { plan_id: "feather_pro_plus" });
    expect(preview).toMatchObject({
      lines: [
        { description: "Basic, unused time", amount_cents: -500 },
        { description: "Premium, 14 Feb 2026 to 28 Feb 2026", amount_cents: 1250 },
      ],
      proration_cents: 750,
      subtotal_cents: 750,
      total_due_now_cents: 750,
      next_invoice_cents: 2500,
      next_invoice_date: "2026-02-28T10:00:00.000Z",
    });
    expect((await server.change(who, { plan_id: "feather_pro_plus" })).status).toBe(200);
    expect(await server.chargedCents(who)).toBe(1000 + 750);
    expect(await server.subscription(who)).toMatchObject({
      plan: { id: "feather_pro_plus" },
      current_period_end_date: "2026-02-28T10:00:00.000Z",
    });
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(1750 + 2500);
  });

  test("a change of plan can change the quantity, and several in a period never charge more than the most expensive one", async () => {
    const who = await onPlan("feather_scale", 1);
    for (const quantity of [2, 3]) {
      const { total_due_now_cents } = await server.preview(who, { plan_id: "feather_scale", quantity });
      expect(total_due_now_cents).toBe(10_000);
      await server.change(who, { plan_id: "feather_scale", quantity });
    }
    expect(await server.chargedCents(who)).toBe(30_000);
    expect(await server.subscription(who)).toMatchObject({ quantity: 3 });
  });

  test("a change of plan adds an excess credit to the balance for the next invoices", async () => {
    const who = await onPlan("feather_max", 1); // 200 a month
    await server.change(who, { plan_id: "feather_request_pricing" }); // 50 a month: at the end of the period
    expect(await server.subscription(who)).toMatchObject({
      plan: { id: "feather_max" },
      pending_change: { plan_id: "feather_request_pricing", effective_date: "2026-02-28T10:00:00.000Z" },
    });
    const yearly = { id: "yearly_basic", name: "Yearly", price_usd_cents: 300_000, interval: "year" };
    const admin = await server.signInAdmin();
    await server.call("/api/admin/plans", { token: admin.token, body: yearly });
    const preview = await server.preview(who, { plan_id: "yearly_basic" });
    expect(preview).toMatchObject({ total_due_now_cents: 280_000, next_invoice_date: "2027-01-31T10:00:00.000Z" });
    await server.change(who, { plan_id: "yearly_basic" });
    expect(await server.chargedCents(who)).toBe(300_000);
    expect(await server.subscription(who)).toMatchObject({
      current_period_end_date: "2027-01-31T10:00:00.000Z",
      pending_change: null,
    });
  });
});

describe("a change to a cheaper plan", () => {
  test("a change to a cheaper plan is scheduled for the end of the period, costs nothing now and can be withdrawn", async () => {
    const who = await onPlan("feather_pro_plus");
    expect(await server.preview(who, { plan_id: "feather_basic" })).toMatchObject({
      lines: [],
      total_due_now_cents: 0,
      next_invoice_cents: 1000,
      next_invoice_date: "2026-02-28T10:00:00.000Z",
    });
    await server.change(who, { plan_id: "feather_basic" });
    expect(await server.subscription(who)).toMatchObject({
      plan: { id: "feather_pro_plus" },
      pending_change: { plan_id: "feather_basic", quantity: 1, effective_date: "2026-02-28T10:00:00.000Z" },
    });
    expect((await server.post(who, "/api/subscription/resume")).status).toBe(200);
    expect(await server.subscription(who)).toMatchObject({ pending_change: null });
    await server.change(who, { plan_id: "feather_basic" });
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.subscription(who)).toMatchObject({
      plan: { id: "feather_basic" },
      pending_change: null,
      current_period_end_date: "2026-03-31T10:00:00.000Z",
    });
    expect(await server.chargedCents(who)).toBe(3500);
  });
});

describe("a cancellation", () => {
  test("a cancellation lets the period end, and charges nothing after it", async () => {
    const who = await onPlan("feather_basic");
    const answer = await server.call("/api/subscription", { method: "DELETE", token: who.key });
    expect(answer.body).toMatchObject({ status: "active", cancel_at_period_end: true });
    await server.advanceTo("2026-02-28T09:59:59Z");
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_basic" } });
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.subscription(who)).toMatchObject({ id: null, plan: { id: "feather_lite" } });
    expect(await server.chargedCents(who)).toBe(1000);
    expect((await server.listMails(who.email)).map(({ kind }) => kind)).toContain("subscription_ended");
  });

  test("a cancellation can be withdrawn before the period ends, by resuming or by choosing the plan again", async () => {
    const who = await onPlan("feather_basic");
    for (const again of [
      () => server.post(who, "/api/subscription/resume"),
      () => server.change(who, { plan_id: "feather_basic" }),
    ]) {
      await server.change(who, { plan_id: "feather_lite" });
      expect(await server.subscription(who)).toMatchObject({ cancel_at_period_end: true });
      expect((await again()).status).toBe(200);
      expect(await server.subscription(who)).toMatchObject({ cancel_at_period_end: false });
    }
    expect(await server.chargedCents(who)).toBe(1000);
  });

  test.each([
    ["DELETE", "/api/subscription", "subscription.none"],
    ["POST", "/api/subscription/resume", "subscription.none"],
    ["POST", "/api/subscription/retention-coupon", "subscription.none"],
    ["DELETE", "/api/subscription/coupons", "subscription.none"],
  ])("a cancellation is rejected without a subscription: %s %s", async (method, path, code) => {
    const who = await server.createBuyer();
    const answer = await server.call(path, { method, token: who.key });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, code]);
  });

  test("a cancellation can be withdrawn only when there is one", async () => {
    const who = await onPlan("feather_basic");
    const answer = await server.post(who, "/api/subscription/resume");
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "subscription.not_canceled"]);
  });
});

test("a purchase charges once for fifty concurrent attempts, with one idempotency key or with fifty", async () => {
  const one = await server.createBuyer();
  const keys = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      server.change(one, { plan_id: "feather_basic" }, { "idempotency-key": `own-${index}` }),
    ),
  );
  expect(keys.filter(({ status }) => status === 200).length).toBe(1);
  expect(new Set(keys.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(await server.chargedCents(one)).toBe(1000);
  const other = await server.createBuyer();
  const same = await Promise.all(
    Array.from({ length: 50 }, () =>
      server.change(other, { plan_id: "feather_basic" }, { "idempotency-key": "for all" }),
    ),
  );
  expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(same[0]?.status).toBe(200);
  expect(await server.chargedCents(other)).toBe(1000);
});

test("repeating a purchase whose response was lost in a crash returns the earlier one", async () => {
  const who = await server.createBuyer();
  const headers = { "idempotency-key": "lost" };
  const first = await server.change(who, { plan_id: "feather_basic" }, headers);
  // The state after a crash between the charge and the response, once the claim of the idempotency key has expired.
  await server.db.deleteFrom("idempotency_keys").execute();
  const again = await server.change(who, { plan_id: "feather_basic" }, headers);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(await server.chargedCents(who)).toBe(1000);
  expect(await server.invoices(who)).toHaveLength(1);
});
