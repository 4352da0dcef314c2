import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, CARDS, createBillingServer } from "../../testing/billing.ts";

const START = "2026-01-31T10:00:00Z";
let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer(START);
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

async function advance({ userId }: Pick<Buyer, "userId">, days: number) {
  const { token } = await server.signInAdmin();
  return server.call(`/api/admin/users/${userId}/test-clock`, { method: "POST", token, body: { days } });
}
const mailKinds = async (who: Buyer) => (await server.listMails(who.email)).map(({ kind }) => kind);

describe("the time of an organization that an admin advances", () => {
  test("periods begin and are charged on their days, also over the end of a month", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    expect((await advance(who, 27)).body).toEqual({ days_ahead: 27, time: "2026-02-27T10:00:00.000Z" });
    expect(await server.chargedCents(who)).toBe(1000);
    expect((await advance(who, 33)).body).toMatchObject({ days_ahead: 60, time: "2026-04-01T10:00:00.000Z" });
    expect(await server.chargedCents(who)).toBe(3000);
    const periods = (await server.invoices(who)).map(({ period_start_date }) => period_start_date?.slice(0, 10));
    expect(periods).toEqual(["2026-03-31", "2026-02-28", "2026-01-31"]);
  });

  test("a trial is announced before it ends, and then charged", async () => {
    await server.db.updateTable("plans").set({ trial_days: 14 }).where("id", "=", "feather_pro_plus").execute();
    const who = await server.createBuyer(CARDS.alsoWorks);
    await server.change(who, { plan_id: "feather_pro_plus" });
    expect(await server.subscription(who)).toMatchObject({ status: "trialing" });
    await advance(who, 12);
    expect(await mailKinds(who)).toEqual(["trial_ending"]);
    await advance(who, 3);
    expect(await server.subscription(who)).toMatchObject({ status: "active" });
    expect(await server.chargedCents(who)).toBe(2500);
  });

  test("an invoice that cannot be paid is tried again, and then ends the plan", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const { id } = (await server.addCard(who, CARDS.failsLater)).body as { id: string };
    await server.call(`/api/payment-methods/${id}`, { method: "PUT", token: who.key });
    await advance(who, 28);
    expect(await server.subscription(who)).toMatchObject({ status: "past_due" });
    await advance(who, 14);
    expect(await server.subscription(who)).toMatchObject({ id: null });
    expect((await mailKinds(who)).filter((kind) => kind === "payment_failed").length).toBeGreaterThan(1);
    expect(await mailKinds(who)).toContain("subscription_ended");
  });

  test("changes of the plan are charged for the rest of the period at the organization's time", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    await advance(who, 14);
    const { lines } = await server.preview(who, { plan_id: "feather_pro_plus" });
    expect(lines.map(({ amount_cents }) => amount_cents)).toEqual([-500, 1250]);
  });

  test("an organization that never bought keeps the default currency when its time is advanced", async () => {
    const who = await server.createBuyer(null);
    const { token } = await server.signInAdmin();
    await server.call("/api/admin/currencies/EUR", {
      method: "PUT",
      token,
      body: { units_per_usd: "0.92", is_default: true },
    });
    await advance(who, 1);
    const { currency } = await server.read<{ currency: string }>(who, "/api/organization/billing-details");
    await server.call("/api/admin/currencies/USD", {
      method: "PUT",
      token,
      body: { units_per_usd: "1", is_default: true },
    });
    expect(currency).toBe("EUR");
  });

  test("other organizations stay on the server's time", async () => {
    const [ahead, other] = [await server.createBuyer(), await server.createBuyer()];
    for (const who of [ahead, other]) await server.change(who, { plan_id: "feather_basic" });
    await advance(ahead, 60);
    expect(await server.chargedCents(ahead)).toBe(3000);
    expect(await server.chargedCents(other)).toBe(1000);
    const { token } = await server.signInAdmin();
    expect((await server.call(`/api/admin/users/${other.userId}/test-clock`, { token })).body).toEqual({
      days_ahead: 0,
      time: "2026-01-31T10:00:00.000Z",
    });
  });

  test("a page of the test driver completes a purchase at the organization's time", async () => {
    const who = await server.createBuyer(null);
    await advance(who, 40);
    const { body } = await server.post(who, "/api/subscription/checkout", { plan_id: "feather_basic" });
    await server.openPage((body as { url: string }).url, { card: CARDS.works });
    expect(await server.subscription(who)).toMatchObject({ current_period_start_date: "2026-03-12T10:00:00.000Z" });
  });

  test("a repeated call with the same idempotency key advances once", async () => {
    const who = await server.createBuyer(null);
    const { token } = await server.signInAdmin();
    const call = { method: "POST", token, headers: { "idempotency-key": "advance-once" }, body: { days: 3 } };
    for (let attempt = 0; attempt < 2; attempt++) {
      const { body } = await server.call(`/api/admin/users/${who.userId}/test-clock`, call);
      expect(body).toMatchObject({ days_ahead: 3 });
    }
    expect((await advance(who, 1)).body).toMatchObject({ days_ahead: 4 });
  });

  test("two admins who advance at once advance by both", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    await Promise.all([advance(who, 20), advance(who, 20)]);
    const { token } = await server.signInAdmin();
    const { body } = await server.call(`/api/admin/users/${who.userId}/test-clock`, { token });
    expect(body).toMatchObject({ days_ahead: 40 });
    expect(await server.chargedCents(who)).toBe(2000);
  });

  test("time is advanced by 3660 days at most", async () => {
    const who = await server.createBuyer(null);
    await server.db
      .insertInto("billing_accounts")
      .values({ organization_id: who.organizationId, days_ahead: 3650 })
      .onConflict((conflict) => conflict.column("organization_id").doUpdateSet({ days_ahead: 3650 }))
      .execute();
    expect(errorCode((await advance(who, 11)).body)).toBe("payments.too_far_ahead");
    expect((await advance(who, 10)).body).toMatchObject({ days_ahead: 3660 });
  });
});

test("time cannot be advanced while payments are not tests", async () => {
  const server = await createBillingServer(START, { FEATHER_PAYMENTS: "off", FEATHER_MARKETPLACES: "off" });
  const { token, userId } = await server.signInAdmin();
  const path = `/api/admin/users/${userId}/test-clock`;
  const { body } = await server.call(path, { method: "POST", token, body: { days: 1 } });
  expect(errorCode(body)).toBe("payments.not_tests");
  expect((await server.call(path, { token })).body).toMatchObject({ days_ahead: 0 });
  await server.close();
});
