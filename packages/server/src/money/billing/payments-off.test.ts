import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, CARDS, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-01-31T10:00:00Z", { FEATHER_PAYMENTS: "off", FEATHER_MARKETPLACES: "off" });
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

describe("while payments are switched off", () => {
  test("the settings of the site say that payments are switched off", async () => {
    const { body } = await server.call("/api/config");
    expect(body).toMatchObject({ payments: "off", marketplaces: "off" });
  });

  test.each([
    ["a change of plan", "/api/subscription", { plan_id: "feather_pro_plus" }],
    ["the preview of a change", "/api/subscription", { plan_id: "feather_pro_plus", preview: true }],
    ["a checkout page", "/api/subscription/checkout", { plan_id: "feather_pro_plus" }],
    ["the customer portal", "/api/subscription/customer-portal", undefined],
    ["a new card", "/api/payment-methods/setup-intent", undefined],
    ["the confirmation of a card", "/api/payment-methods/setup-intent/seti_x", { test_card: CARDS.works }],
    ["credits", "/api/usage/credits/top-up", { amount_usd_cents: 1_000_000 }],
    ["the payment of an invoice", "/api/invoices/inv_x/pay", undefined],
  ])("rejects %s while payments are switched off", async (_what, path, body) => {
    const who = await server.createBuyer(null);
    const answer = await server.post(who, path, body);
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.off"]);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect((await server.subscription(who)).plan.id).toBe("feather_lite");
  });

  test("there are no payment pages while payments are switched off", async () => {
    const opened = await server.openPage("http://x/api/test-payments/one_x");
    const sent = await server.openPage("http://x/api/test-payments/one_x", { card: CARDS.works });
    expect([opened.status, sent.status]).toEqual([409, 409]);
  });

  test("rejects refunds, and calls no payment service, while payments are switched off", async () => {
    const { token } = await server.signInAdmin();
    const answer = await server.call("/api/admin/invoices/inv_x/refund", { token, body: {} });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.off"]);
  });

  test("existing subscriptions begin no new period while payments are switched off, and canceled ones end", async () => {
    const [stays, leaves] = [await bought(), await bought({ cancel_at_period_end: true })];
    await server.advanceTo("2026-03-02T10:00:00Z");
    expect(await server.subscription(stays)).toMatchObject({ status: "active", plan: { id: "feather_basic" } });
    expect(await server.invoices(stays)).toEqual([]);
    expect(await server.subscription(leaves)).toMatchObject({ id: null, plan: { id: "feather_lite" } });
  });

  test("an admin can grant a plan while payments are switched off", async () => {
    const who = await server.createBuyer(null);
    const { token } = await server.signInAdmin();
    await server.call(`/api/admin/users/${who.userId}`, { method: "PUT", token, body: { plan_id: "feather_max" } });
    expect((await server.subscription(who)).plan.id).toBe("feather_max");
  });
});

describe("while marketplaces are switched off", () => {
  test("rejects every token of a marketplace while marketplaces are switched off", async () => {
    const who = await server.createBuyer(null);
    const body = { provider: "aws", token: "test_cust-1_feather_max" };
    const answer = await server.post(who, "/api/cloud-marketplace/subscribe", body);
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "marketplace.off"]);
    expect(await server.subscription(who)).toMatchObject({ id: null });
  });
});

/** Creates an account that has bought a plan before payments were switched off. */
async function bought(fields: { cancel_at_period_end?: boolean } = {}): Promise<Buyer> {
  const who = await server.createBuyer(null);
  const now = server.clock.now();
  await server.db
    .insertInto("subscriptions")
    .values({
      id: `sub_${who.userId}`,
      organization_id: who.organizationId,
      plan_id: "feather_basic",
      status: "active",
      anchor_date: now,
      current_period_start_date: now,
      current_period_end_date: new Date(now.getTime() + 28 * 86_400_000),
      ...fields,
    })
    .execute();
  return who;
}
