import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-06-01T00:00:00Z");
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

async function asAdmin(who: Buyer, path: string, body?: object) {
  const { token } = await server.signInAdmin();
  const method = body ? "PUT" : "GET";
  return server.call(`/api/admin/users/${who.userId}${path}`, { method, token, ...(body && { body }) });
}
const grant = (who: Buyer, plan_id: string) => asAdmin(who, "", { plan_id });
const balanceOf = async ({ organizationId }: Buyer) => {
  const { balance_cents } = await server.db
    .selectFrom("billing_accounts")
    .select("balance_cents")
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return balance_cents;
};
async function bought(body: object): Promise<Buyer> {
  server.clock.at = Date.parse("2026-06-01T00:00:00Z");
  const who = await server.createBuyer();
  expect((await server.change(who, body)).status).toBe(200);
  return who;
}

describe("granting a plan to an organization that pays for another", () => {
  test("granting a plan credits the unused time of a paid one to the balance, posts it to the ledger and notifies both sides", async () => {
    const who = await bought({ plan_id: "feather_scale", quantity: 5 });
    server.clock.at = Date.parse("2026-06-16T00:00:00Z");
    const ended = {
      plan_id: "feather_scale",
      plan_name: "Scale",
      quantity: 5,
      period_end_date: "2026-07-01T00:00:00.000Z",
      credited_cents: 25_000,
      balance_cents: 25_000,
      currency: "USD",
    };
    expect((await asAdmin(who, "/plan-grant")).body).toEqual({ ended_plan: ended });
    expect((await grant(who, "feather_max")).status).toBe(200);

    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_max" } });
    expect(await balanceOf(who)).toBe(25_000);
    expect(await server.api.ledger.balance(`balance:${who.organizationId}`)).toBe(250_000_000_000n);
    const [note] = await server.invoices(who);
    expect(note).toMatchObject({
      total_cents: 0,
      status: "paid",
      lines: [
        { description: "Scale × 5, unused time", amount_cents: -25_000 },
        { description: "Kept for the next invoices", amount_cents: 25_000 },
      ],
    });
    const [mail] = (await server.listMails(who.email)).filter(({ kind }) => kind === "plan_granted");
    expect(mail?.body).toContain("An admin put your organization on the plan Max.");
    expect(mail?.body).toContain("It costs nothing and has no end date.");
    expect(mail?.body).toContain("You had paid for it until 1 Jul 2026. $250.00 of that is for time you did not use");
    const audit = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("action", "=", "users.update")
      .where("target", "=", who.userId)
      .executeTakeFirstOrThrow();
    expect(audit.details).toMatchObject({ plan_id: "feather_max", ended_plan: ended });
    await server.verifyBooks();
  });

  test("granting a plan never credits more than was paid, whatever the clock says", async () => {
    const who = await bought({ plan_id: "feather_pro_plus" });
    server.clock.at = Date.parse("2026-03-01T00:00:00Z");
    await grant(who, "feather_lite");
    expect(await balanceOf(who)).toBe(2500);
  });

  test("granting a plan credits nothing for a trial, a metered plan or an unpaid renewal", async () => {
    const metered = await bought({ plan_id: "feather_request_pricing" });
    await grant(metered, "feather_max");
    expect(await balanceOf(metered)).toBe(0);

    const unpaid = await bought({ plan_id: "feather_pro_plus" });
    await server.db.updateTable("payment_methods").set({ deleted_at: server.clock.now() }).execute();
    await server.advanceTo("2026-07-01T00:00:00Z");
    expect(await server.subscription(unpaid)).toMatchObject({ status: "past_due" });
    await grant(unpaid, "feather_max");
    expect(await balanceOf(unpaid)).toBe(0);
    expect((await server.invoices(unpaid)).map(({ status }) => status)).toEqual(["uncollectible", "paid"]);
  });

  test("the balance that a granted plan credited pays for the next purchase", async () => {
    const who = await bought({ plan_id: "feather_scale" });
    await grant(who, "feather_lite");
    expect((await server.change(who, { plan_id: "feather_pro_plus" })).status).toBe(200);
    expect(await balanceOf(who)).toBe(7500);
    expect(await server.chargedCents(who)).toBe(10_000);
    expect(await server.api.ledger.balance(`balance:${who.organizationId}`)).toBe(75_000_000_000n);
    await server.verifyBooks();
  });

  test("granting a plan ends no paid plan where there is none, as the preview says", async () => {
    const who = await server.createBuyer();
    expect((await asAdmin(who, "/plan-grant")).body).toEqual({ ended_plan: null });
    await grant(who, "feather_max");
    expect((await asAdmin(who, "/plan-grant")).body).toEqual({ ended_plan: null });
    await grant(who, "feather_lite");
    expect(await server.invoices(who)).toEqual([]);
    expect((await asAdmin({ ...who, userId: "usr_none" }, "/plan-grant")).status).toBe(404);
  });
});

describe("deleting an organization", () => {
  test("deleting an organization posts its remaining balances as forfeited", async () => {
    const who = await bought({ plan_id: "feather_scale" });
    await grant(who, "feather_lite");
    const { ledger, credits } = server.api;
    const given = { kind: "grant", description: "Apology", reference: `grant:${who.userId}` } as const;
    await credits.credits.grant(who.organizationId, 3_000_000_000n, given);
    const before = await ledger.balance("forfeited");
    const path = "/api/account";
    expect((await server.call(path, { method: "DELETE", token: who.token, body: {} })).status).toBe(204);
    expect((await ledger.balance("forfeited")) - before).toBe(103_000_000_000n);
    expect(await ledger.balance(`credits:${who.organizationId}`)).toBe(0n);
    expect(await ledger.balance(`balance:${who.organizationId}`)).toBe(0n);
    await server.verifyBooks();
  });
});
